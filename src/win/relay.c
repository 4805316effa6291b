/*
 * Counting the output (relay.h).
 */
#include "win/relay.h"

void relay_init(struct relay *relay, const struct spec_limits *limits)
{
	*relay = (struct relay){
		.limit = limits->output_bytes ? limits->output_bytes : UINT64_MAX,
		.each_limit = limits->output_each_bytes ? limits->output_each_bytes : UINT64_MAX,
		.hit = CONTROL_COUNT,
	};
}

uint64_t relay_carried(const struct relay *relay)
{
	return relay->carried[0] + relay->carried[1];
}

size_t relay_allow(void *context, size_t stream, size_t bytes)
{
	struct relay *relay = context;
	uint64_t left = relay->limit - relay_carried(relay);
	uint64_t each_left = relay->each_limit - relay->carried[stream];
	uint64_t allowed = left < each_left ? left : each_left;

	if (bytes > allowed) {
		if (relay->hit == CONTROL_COUNT)
			relay->hit = left <= each_left ? CONTROL_OUTPUT : CONTROL_OUTPUT_EACH;
		bytes = (size_t)allowed;
	}
	relay->carried[stream] += bytes;
	return bytes;
}
