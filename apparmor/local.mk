# The AppArmor profile, where the system has a place for them.
EXTRA_DIST += apparmor/nsbox.in
CLEANFILES += apparmor/nsbox
apparmor/nsbox: $(top_srcdir)/apparmor/nsbox.in
	$(AM_V_GEN)$(MKDIR_P) apparmor && sed 's|@bindir[@]|$(bindir)|' $(top_srcdir)/apparmor/nsbox.in >$@.tmp && mv $@.tmp $@

if INSTALL_APPARMOR
apparmordir = $(sysconfdir)/apparmor.d
nodist_apparmor_DATA = apparmor/nsbox
endif
