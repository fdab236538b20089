"""What an administrator looks at each day: how far queues are, who works, when they end, what fills the disk."""
