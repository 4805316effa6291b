/*
 * Where nsbox begins on Windows: the words of the command line become UTF-8, and
 * the portable main takes them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/err.h"
#include "win/wapi_real.h"

int main(int argc, char **argv);
int wmain(int argc, wchar_t **wide);

int wmain(int argc, wchar_t **wide)
{
	struct str_list words = STR_LIST_INIT;
	int status = 0;

	for (int i = 0; i < argc && status == 0; i++) {
		char *word = real_narrow_strict(wide[i]);

		if (word)
			str_list_take(&words, word);
		else
			status = err_exit_status(ERR_USAGE);
	}
	if (status == 0)
		status = main(argc, words.items);
	else
		fputs("nsbox: a word of the command line is not valid UTF-16\n", stderr);
	str_list_free(&words);
	return status;
}
