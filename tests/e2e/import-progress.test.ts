import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'

const FLAGS = 1001
const folder = temporaryFolder()
afterAll(() => folder.remove())

test.each(['warn', 'fatal'])('a start prints the progress of a large import at log level %s', async (level) => {
  const file = join(folder.path, 'state.json')
  const features = Array.from({ length: FLAGS }, (_, index) => ({ name: `f${index}`, project: 'default' }))
  writeFileSync(file, JSON.stringify({ version: 4, features }))
  const one = runBurgee(['server'], {
    HTTP_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    DATA_DIR: join(folder.path, level),
    IMPORT_FILE: file,
    LOG_LEVEL: level,
  })
  await one.find(/IMPORT_FILE: 1000 of 1001 flags/)
  await one.find(/listening on port (\d+)/)
  one.kill('SIGTERM')
  expect(await one.ended).toBe(0)
})
