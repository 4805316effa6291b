#!/bin/bash
# nsbox.exe as a program: what it needs of Windows, and what it says without running anything.
# shellcheck source=tests/win/lib.sh
. "$NSBOX_SRCDIR/tests/win/lib.sh" || exit 1

objdump=$(command -v x86_64-w64-mingw32-objdump || echo objdump)
exe=$NSBOX_BUILDDIR/nsbox.exe

# Only DLLs that Windows takes from its system folder whatever lies beside nsbox.exe (KnownDLLs). userenv.dll is not among them: systems that
# have it without the functions of AppContainers would not start nsbox at all.
same "it imports from three libraries of the system" "ADVAPI32.dll KERNEL32.dll msvcrt.dll" \
    "$($objdump -p "$exe" | sed -n 's/.*DLL Name: //p' | sort | tr '\n' ' ' | sed 's/ $//')"

# Every function that is not of the C runtime was there in Windows 10 1809; the newest of them is of Windows 8.
imports() {
	$objdump -p "$exe" | awk '/DLL Name:/ { dll = $3 } /^\t[0-9a-f]+\t/ && dll != "msvcrt.dll" { print $NF }' | sort -u
}
unknown=$(imports | comm -23 - <(sort -u "$NSBOX_SRCDIR/tests/win/imports"))
same "it imports no function that is newer than Windows 10 1809" "" "$unknown"
[ "$(imports | wc -l)" -gt 40 ]
is $? "and the imports were read" "$(imports | wc -l)"
same "its addresses are random and its data is not executable" "00000160" \
    "$($objdump -p "$exe" | sed -n 's/^DllCharacteristics[[:blank:]]*//p' | tr -d '\r')"

run "${nsbox[@]}" --version
version=$(sed -n "s/^AC_INIT(\[nsbox\], \[\(.*\)\])/\1/p" "$NSBOX_SRCDIR/configure.ac")
same "--version" "nsbox $version:0:" "$out:$status:$err"
run "${nsbox[@]}" --help
has "--help names the options" '--allow-missing CONTROL' "$out"
same "--help is all that it says" "0:" "$status:$err"
awk 'length($0) > 79 { bad = 1 } END { exit bad }' <<<"$out"
is $? "--help fits a terminal"
[ "$(grep -c $'\r' out)" = 0 ]
is $? "lines end as the portable part ends them"

run "${nsbox[@]}" --explain --ro 'c:/Some Folder/x/' --rw 'D:\y' --wall 2s --env A=b -- prog 'a b' 'c"d' '\\'
expected='--ro "C:\\Some Folder\\x"
--rw "D:\\y"
--env A=b
--wall 2
--
prog
"a b"
"c\"d"
"\\\\"'
same "--explain writes paths in their one spelling" "$expected" "$out"
cp out explained
run "${nsbox[@]}" --explain --args "$(win_path explained)"
same "and what it wrote reads back the same" "$expected" "$out"

run "${nsbox[@]}" --explain --ro relative -- x
same "a relative path is refused" "125:nsbox: --ro: 'relative' is not an absolute path (such as C:\\tools)" "$status:$err"
run "${nsbox[@]}" --pids abc -- x
has "a number that is none is refused" "nsbox: --pids: 'abc' is not" "$err"
same "with status 125" 125 "$status"
run "${nsbox[@]}" --args 7 -- x
has "a descriptor that Windows does not pass on is refused" "nsbox: --args: '7' is a descriptor" "$err"
plan
