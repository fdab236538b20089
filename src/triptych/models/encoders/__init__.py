"""Models that compare texts: found on this computer, loaded when needed, never downloaded by surprise."""
