"""What every room may import: errors, blocks, names, labels, parameters, numbers and files."""
