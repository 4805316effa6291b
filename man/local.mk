# Manual pages, in mdoc.
dist_man_MANS = \
	man/nsbox-report.5 \
	man/nsbox.1
