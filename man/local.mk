# Manual pages, in mdoc.
dist_man_MANS = \
	man/nsbox-bwrap.1 \
	man/nsbox-report.5 \
	man/nsbox.1

# nsbox under the name of bubblewrap, whose own program and page are never replaced.
install-bwrap: install
	@for file in '$(DESTDIR)$(bindir)/bwrap' '$(DESTDIR)$(man1dir)/bwrap.1'; do \
		if test -e "$$file" || test -L "$$file"; then \
			case `readlink "$$file"` in nsbox|nsbox-bwrap.1) ;; *) \
				echo "install-bwrap: $$file is there already, and stays" >&2; exit 1;; esac; \
		fi; \
	done
	$(LN_S) -f nsbox '$(DESTDIR)$(bindir)/bwrap'
	$(LN_S) -f nsbox-bwrap.1 '$(DESTDIR)$(man1dir)/bwrap.1'

uninstall-hook:
	@for file in '$(DESTDIR)$(bindir)/bwrap' '$(DESTDIR)$(man1dir)/bwrap.1'; do \
		case `readlink "$$file"` in nsbox|nsbox-bwrap.1) rm -f "$$file";; esac; \
	done

.PHONY: install-bwrap
