import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Reads all files below the given folder, and prints the number of bytes. */
let bytes = 0
for (const entry of readdirSync(process.argv[2], { withFileTypes: true, recursive: true })) {
  if (entry.isFile()) bytes += readFileSync(join(entry.parentPath, entry.name)).length
}
process.stdout.write(String(bytes))
