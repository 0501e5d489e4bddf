"""Worker processes in which agents think, threads for short work, and who has his turn."""
