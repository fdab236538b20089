"""Parts shared by all web pages.

guard     checks of requests (Host, Origin, token), and the Content-Security-Policy of pages
forms     forms that a page sends, read within limits
media     files of one Item, by number, never by name
waveform  the waveform of a recording
ending    a server that ends on a signal
"""
