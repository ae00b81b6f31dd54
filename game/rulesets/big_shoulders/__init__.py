"""City of the Big Shoulders: companies of Chicago from 1875, five decades of stock, buildings, partners and goods."""
