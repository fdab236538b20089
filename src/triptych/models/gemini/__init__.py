"""`gemini/NAME`: Google's Gemini API."""
