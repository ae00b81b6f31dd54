"""Reports on many games among bots: their figures, their drawings, and the pages they are written to."""
