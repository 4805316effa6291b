/*
 * Compares commands: runs them in turn (A B A B ...), so that whatever the machine does
 * meanwhile hits all of them, and prints the distribution of their wall-clock times. A command that
 * fails ends the measurement: a fast failure is not a result.
 *
 * bench [--json] [-n RUNS] [-w WARM-UPS] [-f FILE] NAME COMMAND [ARG]... [--- NAME COMMAND [ARG]...]...
 *
 * -f opens FILE anew as descriptor 9 for each run. The ratio is the median of the ratios
 * to the first command within each round.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COMMANDS = 16, MAX_RUNS = 100000, INPUT_FD = 9 };

struct command {
	const char *name;
	char **argv;
	double *times;		/* microseconds, one a round, in the order of the rounds */
};

struct bench {
	struct command commands[MAX_COMMANDS];
	int count;
	int runs, warm_ups;
	bool json;
	const char *input;	/* NULL: none */
};

extern char **environ;

static void
fail(const char *what, const char *detail)
{
	fprintf(stderr, "bench: %s: %s\n", what, detail);
	exit(1);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* One run; returns microseconds from before the spawn until it was waited for. */
static double
run_once(const struct bench *bench, const struct command *command)
{
	posix_spawn_file_actions_t actions;
	struct rusage usage;
	double start;
	pid_t pid;
	int status, error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (bench->input)
		posix_spawn_file_actions_addopen(&actions, INPUT_FD, bench->input, O_RDONLY, 0);
	start = now();
	error = posix_spawnp(&pid, command->argv[0], &actions, NULL, command->argv, environ);
	if (error)
		fail(command->argv[0], strerror(error));
	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			fail("wait4", strerror(errno));
	start = now() - start;
	posix_spawn_file_actions_destroy(&actions);
	if (status != 0)
		fail(command->name, "the command failed");
	return start;
}

static void
measure(struct bench *bench)
{
	for (int round = -bench->warm_ups; round < bench->runs; round++) {
		for (int i = 0; i < bench->count; i++) {
			double time = run_once(bench, &bench->commands[i]);

			if (round >= 0)
				bench->commands[i].times[round] = time;
		}
	}
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The value below which `share` of the sorted values lie. */
static double
quantile(const double *sorted, int count, double share)
{
	int index = (int)(share * (count - 1) + 0.5);

	return sorted[index];
}

static double *
sorted_copy(const double *values, int count)
{
	double *copy = calloc((size_t)count, sizeof *copy);

	if (!copy)
		fail("calloc", strerror(errno));
	memcpy(copy, values, (size_t)count * sizeof *copy);
	qsort(copy, (size_t)count, sizeof *copy, compare);
	return copy;
}

static double
median_ratio(const struct command *command, const struct command *first, int count)
{
	double *ratios = calloc((size_t)count, sizeof *ratios), *sorted, result;

	if (!ratios)
		fail("calloc", strerror(errno));
	for (int i = 0; i < count; i++)
		ratios[i] = command->times[i] / first->times[i];
	sorted = sorted_copy(ratios, count);
	result = quantile(sorted, count, 0.5);
	free(sorted);
	free(ratios);
	return result;
}

static void
print_command(const struct bench *bench, int i)
{
	static const char text[] = "%-14s %9.0f %9.0f %9.0f %9.0f %8.2f\n";
	static const char json[] = "{\"name\":\"%s\",\"min\":%.1f,\"median\":%.1f,\"p90\":%.1f,"
	    "\"p99\":%.1f,\"ratio\":%.3f}";
	const struct command *command = &bench->commands[i];
	double *sorted = sorted_copy(command->times, bench->runs);

	if (bench->json && i > 0)
		putchar(',');
	printf(bench->json ? json : text, command->name, sorted[0],
	    quantile(sorted, bench->runs, 0.5), quantile(sorted, bench->runs, 0.9),
	    quantile(sorted, bench->runs, 0.99),
	    median_ratio(command, &bench->commands[0], bench->runs));
	free(sorted);
}

static void
print_all(const struct bench *bench)
{
	if (bench->json)
		printf("{\"unit\":\"us\",\"runs\":%d,\"commands\":[", bench->runs);
	else
		printf("%-14s %9s %9s %9s %9s %8s   (microseconds, %d runs)\n", "", "minimum",
		    "median", "p90", "p99", "ratio", bench->runs);
	for (int i = 0; i < bench->count; i++)
		print_command(bench, i);
	if (bench->json)
		printf("]}\n");
}

static int
number(const char *word, int minimum)
{
	char *end;
	long value = strtol(word, &end, 10);

	if (end == word || *end || value < minimum || value > MAX_RUNS)
		fail(word, "not a number of runs");
	return (int)value;
}

/* Splits "NAME COMMAND... --- NAME COMMAND..."; the separators become the ends of the lists. */
static void
add_commands(struct bench *bench, char **words)
{
	while (*words) {
		struct command *command = &bench->commands[bench->count];

		if (bench->count == MAX_COMMANDS)
			fail(*words, "too many commands");
		command->name = words[0];
		command->argv = words + 1;
		command->times = calloc((size_t)bench->runs, sizeof *command->times);
		if (!words[1] || strcmp(words[1], "---") == 0 || !command->times)
			fail(words[0], "no command");
		bench->count++;
		while (*words && strcmp(*words, "---") != 0)
			words++;
		if (*words)
			*words++ = NULL;
	}
	if (bench->count == 0)
		fail("usage", "bench [--json] [-n RUNS] [-w WARM-UPS] [-f FILE] NAME COMMAND... [--- ...]");
}

int
main(int argc, char **argv)
{
	struct bench bench = { .runs = 100, .warm_ups = 3 };
	int i = 1;

	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--json") == 0)
			bench.json = true;
		else if (strcmp(argv[i], "-n") == 0 && i + 1 < argc)
			bench.runs = number(argv[++i], 1);
		else if (strcmp(argv[i], "-w") == 0 && i + 1 < argc)
			bench.warm_ups = number(argv[++i], 0);
		else if (strcmp(argv[i], "-f") == 0 && i + 1 < argc)
			bench.input = argv[++i];
		else
			fail(argv[i], "unknown option");
	}
	add_commands(&bench, argv + i);
	measure(&bench);
	print_all(&bench);
	return 0;
}
