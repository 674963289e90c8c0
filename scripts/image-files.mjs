/**
 * Creates the files of /app of the container image in a given folder: the published command, the packages installed
 * beside it in the versions of the lockfile, and the command's second name. Build the workspace before running this
 * script.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './packing/join-command.mjs'
import { installedPackages, makePackages } from './packing/packages.mjs'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name the folder: node scripts/image-files.mjs /app')
const packed = mkdtempSync(join(tmpdir(), 'burgee-packed-'))
await makePackages(packed)
cpSync(join(packed, 'burgee'), folder, { recursive: true })
rmSync(packed, { recursive: true })
for (const { name } of installedPackages()) {
  cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true, dereference: true })
}
cpSync(join(ROOT, 'deploy', 'container', 'unleash-edge'), join(folder, 'unleash-edge'))
