"""The endpoints, a file for each kind. They read a request, have the work done, and answer."""
