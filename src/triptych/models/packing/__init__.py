"""How media are sent: a declared setting of every model that takes them."""
