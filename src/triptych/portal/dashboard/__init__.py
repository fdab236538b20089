"""The administrator's daily view: how far queues are, who works, when they end, how full the disk is."""
