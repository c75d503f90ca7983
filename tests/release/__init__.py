"""What is published: its versions agree, and it builds, installs and runs everywhere."""
