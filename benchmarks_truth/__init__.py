"""Error rates of the audit: false alarms on true tables and Runs, and how many planted faults it finds."""
