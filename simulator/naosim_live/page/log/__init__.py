"""The log on the page: everything the robot did, filtered and saved."""
