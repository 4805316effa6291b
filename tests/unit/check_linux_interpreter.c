/*
 * Tests of linux/interpreter.c on files built by hand.
 */
#include "linux/interpreter.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <elf.h>

#include "core/str.h"
#include "unit/unit.h"

enum { IMAGE_SIZE = 1024 };

/* A kind of ELF file, and where in `bytes` things are put. */
struct image {
	bool wide, big;
	size_t length;
	unsigned char bytes[IMAGE_SIZE];
};

static void put(struct image *image, size_t at, size_t size, uint64_t value)
{
	ck_assert_uint_le(at + size, sizeof(image->bytes));
	for (size_t i = 0; i < size; i++) {
		size_t shift = 8 * (image->big ? size - 1 - i : i);

		image->bytes[at + i] = (unsigned char)(value >> shift);
	}
}

/* The header: program headers of `entry_size` bytes from `table` on. */
static void put_header(struct image *image, uint64_t table, uint64_t entry_size, uint64_t count)
{
	memcpy(image->bytes, ELFMAG, SELFMAG);
	image->bytes[EI_CLASS] = image->wide ? ELFCLASS64 : ELFCLASS32;
	image->bytes[EI_DATA] = image->big ? ELFDATA2MSB : ELFDATA2LSB;
	image->bytes[EI_VERSION] = EV_CURRENT;
	put(image, image->wide ? 32 : 28, image->wide ? 8 : 4, table);
	put(image, image->wide ? 54 : 42, 2, entry_size);
	put(image, image->wide ? 56 : 44, 2, count);
}

/* A program header: type, where its bytes are, how many. */
static void put_segment(struct image *image, size_t at, uint32_t type, uint64_t offset, uint64_t size)
{
	put(image, at, 4, type);
	if (image->wide) {
		put(image, at + 8, 8, offset);
		put(image, at + 32, 8, size);
	} else {
		put(image, at + 4, 4, offset);
		put(image, at + 16, 4, size);
	}
}

static const char loader[] = "/lib/ld-example.so.1";

/* A whole file: PT_PHDR, then PT_INTERP, then the loader's name. */
static void make_image(struct image *image, bool wide, bool big)
{
	size_t header = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	size_t entry = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	size_t name = header + 3 * entry;

	memset(image, 0, sizeof(*image));
	image->wide = wide;
	image->big = big;
	put_header(image, header, entry, 3);
	put_segment(image, header, PT_PHDR, header, 3 * entry);
	put_segment(image, header + entry, PT_INTERP, name, sizeof(loader));
	put_segment(image, header + 2 * entry, PT_LOAD, 0, 4096);
	memcpy(image->bytes + name, loader, sizeof(loader));
	image->length = name + sizeof(loader);
}

/* Gives the bytes in a piece of memory of exactly their size, so that a sanitizer sees every step beyond. */
static bool interpreter(const void *bytes, size_t length, struct str *path)
{
	unsigned char *copy = xcalloc(length + 1, 1);
	unsigned char *exact = malloc(length > 0 ? length : 1);
	bool found;

	ck_assert_ptr_nonnull(exact);
	memcpy(copy, bytes, length);
	memcpy(exact, copy, length);
	free(copy);
	found = interpreter_of(exact, length, path);
	free(exact);
	return found;
}

static void expect(const void *bytes, size_t length, const char *name)
{
	struct str path = STR_INIT;
	bool found = interpreter(bytes, length, &path);

	ck_assert_int_eq(found, name != NULL);
	if (name != NULL)
		ck_assert_str_eq(str_text(&path), name);
	str_free(&path);
}

static void expect_script(const char *text, const char *name)
{
	expect(text, strlen(text), name);
}

START_TEST(the_loader_is_found_in_every_kind_of_elf)
{
	struct image image;

	for (int kind = 0; kind < 4; kind++) {
		make_image(&image, kind & 1, kind & 2);
		expect(image.bytes, image.length, loader);
		expect(image.bytes, sizeof(image.bytes), loader);
	}
}
END_TEST

START_TEST(a_file_cut_anywhere_names_none)
{
	struct image image;

	for (int kind = 0; kind < 4; kind++) {
		make_image(&image, kind & 1, kind & 2);
		for (size_t length = 0; length < image.length; length++)
			expect(image.bytes, length, NULL);
	}
}
END_TEST

START_TEST(a_static_program_names_none)
{
	struct image image;

	for (int kind = 0; kind < 4; kind++) {
		size_t header = kind & 1 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
		size_t entry = kind & 1 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);

		make_image(&image, kind & 1, kind & 2);
		put(&image, header + entry, 4, PT_NOTE);
		expect(image.bytes, image.length, NULL);
		make_image(&image, kind & 1, kind & 2);
		put_header(&image, header, entry, 0);
		expect(image.bytes, image.length, NULL);
	}
}
END_TEST

static const uint64_t hostile[] = {
	0, 1, 3, IMAGE_SIZE - 1, IMAGE_SIZE, IMAGE_SIZE + 1, 0xffff, INT32_MAX, UINT32_MAX - 3, UINT32_MAX,
	INT64_MAX, UINT64_MAX - 63, UINT64_MAX - 3, UINT64_MAX,
};

/* Every combination of hostile values may name anything but may not read outside, nor run for ever. */
START_TEST(hostile_numbers_are_survived)
{
	struct image image;
	struct str path = STR_INIT;
	size_t count = sizeof(hostile) / sizeof(hostile[0]);

	for (size_t i = 0; i < 4 * count * count * count; i++) {
		bool wide = i & 1;
		size_t at = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
		size_t entry = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
		size_t rest = i / 4;

		make_image(&image, wide, i & 2);
		put_header(&image, i % 3 == 0 ? hostile[rest % count] : at,
		    i % 5 == 0 ? hostile[rest / count % count] : entry, 0xffff);
		put_segment(&image, at + entry, PT_INTERP, hostile[rest / count % count],
		    hostile[rest / count / count % count]);
		interpreter(image.bytes, image.length, &path);
		str_free(&path);
	}
}
END_TEST

START_TEST(a_name_out_of_the_bytes_is_none)
{
	struct image image;

	for (int kind = 0; kind < 4; kind++) {
		size_t at = kind & 1 ? sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) :
		    sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);

		make_image(&image, kind & 1, kind & 2);
		put_segment(&image, at, PT_INTERP, image.length, 20);
		expect(image.bytes, image.length, NULL);
		put_segment(&image, at, PT_INTERP, image.length - 5, 6);
		expect(image.bytes, image.length, NULL);
		put_segment(&image, at, PT_INTERP, 4, UINT64_MAX - 3);
		expect(image.bytes, image.length, NULL);
		put_segment(&image, at, PT_INTERP, image.length - 5, 1);
		expect(image.bytes, image.length, NULL);
	}
}
END_TEST

START_TEST(random_bytes_behind_the_magic_are_survived)
{
	unsigned char bytes[256];
	struct str path = STR_INIT;
	uint32_t state = 2463534242u;

	for (int round = 0; round < 50000; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			state ^= state << 13;
			state ^= state >> 17;
			state ^= state << 5;
			bytes[i] = state & 0x300 ? 0 : (unsigned char)state;
		}
		memcpy(bytes, ELFMAG, SELFMAG);
		bytes[EI_CLASS] = round & 1 ? ELFCLASS32 : ELFCLASS64;
		interpreter(bytes, state % sizeof(bytes), &path);
		str_free(&path);
	}
}
END_TEST

START_TEST(a_script_names_its_interpreter)
{
	expect_script("#!/bin/sh\necho\n", "/bin/sh");
	expect_script("#! /usr/bin/env python3\n", "/usr/bin/env");
	expect_script("#!\t \t/opt/none -x\n", "/opt/none");
	expect_script("#!/bin/sh", "/bin/sh");
	expect_script("#!relative\n", "relative");
}
END_TEST

/* To the kernel only blanks, tabs, the line's end and NUL end the name: a file with DOS line ends asks for "sh\r". */
START_TEST(a_carriage_return_belongs_to_the_name)
{
	expect_script("#!/bin/sh\r\n", "/bin/sh\\x0d");
	expect_script("#!/bin/sh\v-x\n", "/bin/sh\\x0b-x");
	expect("#!/bin/sh\0x\n", 12, "/bin/sh");
}
END_TEST

START_TEST(what_is_no_script_names_none)
{
	expect_script("", NULL);
	expect_script("#", NULL);
	expect_script("#!", NULL);
	expect_script("#! ", NULL);
	expect_script("#!\n/bin/sh\n", NULL);
	expect_script("#!  \n/bin/sh\n", NULL);
	expect_script(" #!/bin/sh\n", NULL);
	expect_script("# !/bin/sh\n", NULL);
	expect_script("\177EL", NULL);
	expect("#!\0/bin/sh\n", 12, NULL);
}
END_TEST

START_TEST(a_name_is_shown_printable_and_not_endless)
{
	struct str path = STR_INIT;
	char text[1024];

	expect_script("#!/opt/\033[31mred\n", "/opt/\\x1b[31mred");
	memset(text, 'a', sizeof(text));
	memcpy(text, "#!/", 3);
	ck_assert(interpreter(text, sizeof(text), &path));
	ck_assert_uint_lt(path.length, 400);
	str_free(&path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_loader_is_found_in_every_kind_of_elf,
		a_file_cut_anywhere_names_none,
		a_static_program_names_none,
		hostile_numbers_are_survived,
		a_name_out_of_the_bytes_is_none,
		random_bytes_behind_the_magic_are_survived,
		a_script_names_its_interpreter,
		a_carriage_return_belongs_to_the_name,
		what_is_no_script_names_none,
		a_name_is_shown_printable_and_not_endless,
	};

	return unit_run("linux/interpreter", tests, UNIT_COUNT(tests));
}
