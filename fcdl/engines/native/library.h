/* Libraries of compiled programs. */

#ifndef FCDL_LIBRARY_H
#define FCDL_LIBRARY_H

#include "interpreter.h"

/* Which build of the engine: a digest of all that compiled code shares with it (digest.py). */
#ifndef FCDL_ABI
#define FCDL_ABI "unknown"
#endif

/* A program has two parts that are compiled on their own: most programs of a game differ in their functions only. */
typedef enum { GAME_PART, FUNCTIONS_PART } Part;

typedef struct {
    const char *abi;
    int fast_bits;           /* whether it needs a machine that has them */
    const Program *program;  /* slots and offsets count from where the state begins */
    Runner run;              /* the game, or NULL, */
    const Callee *functions; /* and the functions by number, or NULL */
} CompiledGame;

/* What a library has: games and functions, then NULL. */
#define COMPILED_GAMES fcdl_compiled_games
#define COMPILED_GAMES_NAME "fcdl_compiled_games"

/* Lets a program run what a library has for it; returns whether it has any part of it. The program's owner leaves it at
   the end. */
int library_use(Program *program, const char *path);
void library_leave(Program *program);

#endif
