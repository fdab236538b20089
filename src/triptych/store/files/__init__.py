"""Files written atomically and read within limits, whoever wrote them."""
