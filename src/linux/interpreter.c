/*
 * Finds the interpreter that a program's first bytes name (interpreter.h). elf(5),
 * execve(2).
 */
#include "linux/interpreter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <elf.h>

enum { PATH_SHOWN_MAX = 300 };

static bool of_script(const unsigned char *bytes, size_t length, struct str *path)
{
	size_t start = 2, end;
	char *word;

	while (start < length && (bytes[start] == ' ' || bytes[start] == '\t'))
		start++;
	for (end = start; end < length; end++) {
		/* A carriage return belongs to the name: that is what goes wrong then. */
		if (bytes[end] == ' ' || bytes[end] == '\t' || bytes[end] == '\n' || bytes[end] == '\0')
			break;
	}
	if (end == start)
		return false;
	word = xstrndup((const char *)bytes + start, end - start);
	str_add_printable(path, word, PATH_SHOWN_MAX);
	free(word);
	return true;
}

/* A number of `size` bytes at `at`, in the file's byte order; 0 where it lies outside. */
static uint64_t number_at(const unsigned char *bytes, size_t length, uint64_t at, size_t size)
{
	bool little = bytes[EI_DATA] != ELFDATA2MSB;
	uint64_t number = 0;

	if (at > length || size > length - at)
		return 0;
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = bytes[at + (little ? size - 1 - i : i)];

		number = number << 8 | byte;
	}
	return number;
}

/* Where the fields lie in the two classes of ELF. */
struct layout {
	size_t word;		/* size of an address */
	size_t table, entry_size, entry_count; /* in the file header: e_phoff, e_phentsize, e_phnum */
	size_t offset, size;	/* in a program header: p_offset, p_filesz */
};

static const struct layout layout32 = {
	4, offsetof(Elf32_Ehdr, e_phoff), offsetof(Elf32_Ehdr, e_phentsize),
	offsetof(Elf32_Ehdr, e_phnum), offsetof(Elf32_Phdr, p_offset), offsetof(Elf32_Phdr, p_filesz),
};

static const struct layout layout64 = {
	8, offsetof(Elf64_Ehdr, e_phoff), offsetof(Elf64_Ehdr, e_phentsize),
	offsetof(Elf64_Ehdr, e_phnum), offsetof(Elf64_Phdr, p_offset), offsetof(Elf64_Phdr, p_filesz),
};

static bool of_elf(const unsigned char *bytes, size_t length, struct str *path)
{
	const struct layout *layout = bytes[EI_CLASS] == ELFCLASS32 ? &layout32 : &layout64;
	uint64_t table = number_at(bytes, length, layout->table, layout->word);
	uint64_t entry_size = number_at(bytes, length, layout->entry_size, 2);
	uint64_t count = number_at(bytes, length, layout->entry_count, 2);

	for (uint64_t i = 0; i < count && table < length; i++, table += entry_size) {
		uint64_t at, size;
		char *text;

		if (number_at(bytes, length, table, 4) != PT_INTERP)
			continue;
		at = number_at(bytes, length, table + layout->offset, layout->word);
		size = number_at(bytes, length, table + layout->size, layout->word);
		if (at == 0 || size < 2 || at > length || size > length - at)
			return false;
		text = xstrndup((const char *)bytes + at, (size_t)size);
		str_add_printable(path, text, PATH_SHOWN_MAX);
		free(text);
		return true;
	}
	return false;
}

bool interpreter_of(const unsigned char *bytes, size_t length, struct str *path)
{
	if (length >= 3 && bytes[0] == '#' && bytes[1] == '!')
		return of_script(bytes, length, path);
	if (length > EI_NIDENT && memcmp(bytes, ELFMAG, SELFMAG) == 0)
		return of_elf(bytes, length, path);
	return false;
}
