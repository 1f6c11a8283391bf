/* Memory for the short-lived lists of one task, given back in the order of a stack. The blocks stay until the task
 * ends: asking the system for the same pages thousands of times a second would hold up the other threads as well. */
#include "search.h"

#include <stdlib.h>

#define BLOCK_BYTES (1 << 20)
#define ALIGNED 64

struct jotto_block {
    jotto_block *next;
    size_t size, used;
    _Alignas(16) unsigned char bytes[];
};

void *jotto_alloc(task *work, size_t wanted)
{
    size_t size = (wanted + ALIGNED - 1) / ALIGNED * ALIGNED;
    jotto_block *block = work->block;
    void *bytes;
    if (!block || block->size - block->used < size) {
        jotto_block *next = block ? block->next : work->blocks;
        if (!next || next->size < size) { /* goes before a next one that is too small */
            size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
            jotto_block *fresh = malloc(sizeof *fresh + room);
            if (!fresh) {
                work->aborted = SHORT_OF_MEMORY;
                return NULL;
            }
            fresh->next = next;
            fresh->size = room;
            *(block ? &block->next : &work->blocks) = fresh;
            next = fresh;
        }
        next->used = 0;
        block = work->block = next;
    }
    bytes = block->bytes + block->used;
    block->used += size;
    return bytes;
}

scratch_mark jotto_mark(const task *work)
{
    scratch_mark here = {work->block, work->block ? work->block->used : 0};
    return here;
}

void jotto_release(task *work, scratch_mark here)
{
    work->block = here.block;
    if (here.block)
        here.block->used = here.used;
}

void jotto_scratch_free(task *work)
{
    for (jotto_block *block = work->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
}
