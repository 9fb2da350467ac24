# What default.vcl stands in front of, and who may have it let go of pages.

# One for each server of ours; each is asked whether it can serve.
probe ready {
	.url = "/readyz";
	.interval = 1s;
	.timeout = 1s;
	.window = 4;
	.threshold = 2;
	.initial = 2;
}

backend one {
	.host = "127.0.0.1";
	.port = "4321";
	.probe = ready;
}

sub vcl_init {
	new servers = directors.round_robin();
	servers.add_backend(one);
}

# Where our servers are; they tell what has changed (VARNISH_URLS).
acl servers_of_ours {
	"localhost";
}
