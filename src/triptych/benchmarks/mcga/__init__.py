"""MCGA: classical Chinese literature read aloud: transcripts, translations, emotions and questions."""
