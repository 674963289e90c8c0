/**
 * Joins what the `burgee` command is made of, ours and its dependencies', into a few files below bin/bundle: a process
 * then reads 20 files at its start instead of 1,400. `tsc -b` comes before; see ADR 0037.
 */
import { join } from 'node:path'
import { COMMAND, joinModules, ROOT } from './packing/join-command.mjs'

await joinModules({ ...COMMAND, folder: join(ROOT, 'bin', 'bundle') })
