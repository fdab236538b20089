"""The web app: browse Runs. (Recording, review and surveys come with the portal for people.)"""
