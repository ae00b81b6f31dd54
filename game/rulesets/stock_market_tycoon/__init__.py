"""Stock Market Tycoon: hidden cards move six share prices at the end of each year; the highest net worth wins."""
