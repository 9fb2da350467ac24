# Varnish 7 in front of Linework. Both files go to /etc/varnish; backends.vcl names your servers.
#
# Keeps what a server marks with Surrogate-Control, under the tags in Cache-Tag, until its time is
# over or a server purges one of its tags. It never caches a page without these headers.

vcl 4.1;

import directors;
import std;

include "./backends.vcl";

sub vcl_recv {
	if (req.method == "PURGE") {
		call ban_tags;
	}
	set req.backend_hint = servers.backend();
	if (req.restarts > 0) {
		# vcl_hit would not have the object: it is fetched again.
		set req.grace = 0s;
		return (hash);
	}
	unset req.http.Linework-Encoding;

	if (req.method !~ "^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$") {
		return (synth(405));
	}
	if (req.method != "GET" && req.method != "HEAD") {
		# Bodies go through as they come, of any length.
		return (pass);
	}
	if (req.http.Authorization || req.http.Cookie || req.url ~ "^/(healthz|readyz)([/?]|$)") {
		return (pass);
	}

	# Query parameters that change no response: those of analytics, and a share image's version. Same as in
	# src/server/cache/cache_key.ts.
	if (req.url ~ "\?") {
		set req.url = regsub(req.url, "\?", "?&");
		set req.url = regsuball(req.url,
		    "&(utm_[^=&]*|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|ttclid|twclid|yclid|igshid|igsh|mc_cid|mc_eid|li_fat_id|srsltid|_ga|_gl|v)(=[^&]*)?(?=&|$)",
		    "");
		set req.url = regsub(req.url, "\?&", "?");
		set req.url = std.querysort(regsub(req.url, "\?$", ""));
	}

	# A server compresses each page itself, with Brotli for those who take it; Varnish by itself
	# would ask for gzip alone.
	if (req.http.Accept-Encoding ~ "(?i)(^|[ ,])br *(;(?! *q=0(\.0*)? *(,|$))|,|$)") {
		set req.http.Linework-Encoding = "br";
	} else if (req.http.Accept-Encoding ~ "(?i)(^|[ ,])gzip *(;(?! *q=0(\.0*)? *(,|$))|,|$)") {
		set req.http.Linework-Encoding = "gzip";
	}
	if (req.http.Linework-Encoding) {
		set req.http.Accept-Encoding = req.http.Linework-Encoding;
	} else {
		unset req.http.Accept-Encoding;
	}
	return (hash);
}

# PURGE with `Cache-Tag: one,two` lets go of what has any of these tags.
sub ban_tags {
	# Another proxy in front appends its own address to the client's: those are not ours.
	if (client.ip !~ servers_of_ours || req.http.X-Forwarded-For ~ ",") {
		return (synth(403));
	}
	if (req.http.Cache-Tag !~ "^[A-Za-z0-9:._-]+(,[A-Za-z0-9:._-]+)*$") {
		return (synth(400));
	}
	# Only with fields of the object, so that the ban lurker can apply it.
	if (std.ban("obj.http.Cache-Tag ~ (^|,)(" +
	    regsuball(regsuball(req.http.Cache-Tag, "\.", "[.]"), ",", "|") + ")(,|$)")) {
		return (synth(200));
	}
	std.log("ban: " + std.ban_error());
	return (synth(500));
}

sub vcl_hash {
	hash_data(req.http.Linework-Encoding);
}

sub vcl_hit {
	# After its time, one answer more while a new one is fetched, for as long as the server said;
	# longer only while no server can say anything.
	if (obj.ttl < 0s && obj.ttl + std.duration(obj.http.Linework-Grace, 0s) < 0s &&
	    std.healthy(req.backend_hint) && req.restarts == 0) {
		return (restart);
	}
}

sub vcl_backend_fetch {
	if (!bereq.uncacheable) {
		if (bereq.http.Linework-Encoding) {
			set bereq.http.Accept-Encoding = bereq.http.Linework-Encoding;
		} else {
			unset bereq.http.Accept-Encoding;
		}
	}
	unset bereq.http.Linework-Encoding;
}

sub vcl_backend_response {
	if (beresp.status >= 500 && bereq.is_bgfetch) {
		# A stale object is better than an error.
		return (abandon);
	}
	if (bereq.uncacheable) {
		return (deliver);
	}
	if (beresp.http.Set-Cookie || beresp.http.Vary ~ "\*" ||
	    beresp.http.Cache-Control ~ "(?i)no-store|private") {
		call keep_nothing;
	}
	if (beresp.http.Surrogate-Control) {
		if (beresp.http.Surrogate-Control !~ "(^|[, ])max-age=[1-9]") {
			call keep_nothing;
		}
		set beresp.ttl = std.duration(
		    regsub(beresp.http.Surrogate-Control, "^(.*[, ])?max-age=([0-9]+).*$", "\2s"), 0s);
		set beresp.grace = 0s;
		unset beresp.http.Linework-Grace;
		if (beresp.http.Surrogate-Control ~ "(^|[, ])stale-while-revalidate=[1-9]") {
			set beresp.http.Linework-Grace = regsub(beresp.http.Surrogate-Control,
			    "^(.*[, ])?stale-while-revalidate=([0-9]+).*$", "\2s");
			# While every server is away.
			set beresp.grace = 24h;
		}
		return (deliver);
	}
	# Files whose names change with their content, and the like.
	if (beresp.status != 200 || beresp.http.Cache-Control !~ "max-age=[1-9]") {
		call keep_nothing;
	}
	return (deliver);
}

sub keep_nothing {
	set beresp.ttl = 10s;
	set beresp.grace = 0s;
	set beresp.uncacheable = true;
	return (deliver);
}

sub vcl_backend_error {
	# A server that just went away: another one may be there.
	if (bereq.retries == 0 && (bereq.method == "GET" || bereq.method == "HEAD")) {
		return (retry);
	}
	if (bereq.is_bgfetch) {
		return (abandon);
	}
	call say_plainly;
}

sub say_plainly {
	set beresp.http.Content-Type = "text/plain; charset=utf-8";
	set beresp.http.Cache-Control = "no-store";
	set beresp.http.Retry-After = "2";
	set beresp.body = "The studio cannot be reached just now. Please try again in a moment.";
	return (deliver);
}

sub vcl_synth {
	set resp.http.Content-Type = "text/plain; charset=utf-8";
	set resp.http.Cache-Control = "no-store";
	set resp.body = resp.reason;
	return (deliver);
}

sub vcl_deliver {
	unset resp.http.Cache-Tag;
	unset resp.http.Surrogate-Control;
	unset resp.http.Linework-Grace;
	unset resp.http.X-Varnish;
	unset resp.http.Via;
	# A cache behind us would add the Age to its own; browsers revalidate each time.
	if (resp.http.Cache-Control ~ "max-age=0") {
		unset resp.http.Age;
	}
}
