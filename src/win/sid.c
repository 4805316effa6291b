/*
 * The SID of an AppContainer (sid.h): S-1-15-2 and the first seven words of the
 * SHA-256 (FIPS 180-4) of the name in lower case and UTF-16.
 */
#include "win/sid.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/str.h"

enum { BLOCK = 64, SID_WORDS = 7 };

static const uint32_t round_constants[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word >> bits | word << (32 - bits);
}

static void expand(const uint8_t block[BLOCK], uint32_t schedule[64])
{
	for (size_t i = 0; i < 16; i++)
		schedule[i] = (uint32_t)block[i * 4] << 24 | (uint32_t)block[i * 4 + 1] << 16 |
		    (uint32_t)block[i * 4 + 2] << 8 | block[i * 4 + 3];
	for (size_t i = 16; i < 64; i++) {
		uint32_t a = schedule[i - 15], b = schedule[i - 2];

		schedule[i] = schedule[i - 16] + schedule[i - 7] +
		    (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
	}
}

static void mix(uint32_t state[8], const uint8_t block[BLOCK])
{
	uint32_t schedule[64], s[8];

	expand(block, schedule);
	memcpy(s, state, sizeof(s));
	for (size_t i = 0; i < 64; i++) {
		uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
		    ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + schedule[i];
		uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
		    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));

		memmove(s + 1, s, 7 * sizeof(s[0]));
		s[4] += first;
		s[0] = first + second;
	}
	for (size_t i = 0; i < 8; i++)
		state[i] += s[i];
}

void sid_sha256(const void *bytes, size_t length, uint8_t digest[SHA256_SIZE])
{
	uint32_t state[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	size_t padded = (length + 9 + BLOCK - 1) / BLOCK * BLOCK;
	uint8_t *text = xcalloc(padded, 1);

	if (length > 0)
		memcpy(text, bytes, length);
	text[length] = 0x80;
	for (size_t i = 0; i < 8; i++)
		text[padded - 1 - i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);
	for (size_t at = 0; at < padded; at += BLOCK)
		mix(state, text + at);
	for (size_t i = 0; i < SHA256_SIZE; i++)
		digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
	free(text);
}

char *sid_of_container(const char *name)
{
	size_t length = strlen(name);
	uint8_t *wide = xcalloc(length, 2);
	uint8_t digest[SHA256_SIZE];
	struct str sid = STR_INIT;

	for (size_t i = 0; i < length; i++)
		wide[i * 2] = (uint8_t)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] + 'a' - 'A' : name[i]);
	sid_sha256(wide, length * 2, digest);
	free(wide);
	str_add(&sid, "S-1-15-2");
	for (size_t i = 0; i < SID_WORDS; i++)
		str_addf(&sid, "-%" PRIu32, (uint32_t)digest[i * 4] | (uint32_t)digest[i * 4 + 1] << 8 |
		    (uint32_t)digest[i * 4 + 2] << 16 | (uint32_t)digest[i * 4 + 3] << 24);
	return str_take(&sid);
}
