/* A bot in C, without any library: it plays the last legal move.

       cc -o last_move examples/bots/last_move.c
       hiddenhand match connect_four bot:./last_move random --games 100

   It does not read JSON, it only looks for what it needs: the lines with "type":"decide", and in them the last
   "move": in the list "moves", which is the last one of all. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "{\"type\":\"decide\"", 16) != 0)
            continue;
        char *moves = strstr(line, "\"moves\":["), *last = NULL;
        for (char *at = moves; at && (at = strstr(at, "{\"move\":")); at += 8)
            last = at + 8;
        if (last == NULL)
            return 1;
        printf("{\"move\":%d,\"reasons\":[\"It is the last of all moves.\"]}\n", atoi(last));
        fflush(stdout);
    }
    return 0;
}
