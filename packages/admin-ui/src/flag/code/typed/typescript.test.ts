import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toTypedFlag } from './typed-flag.ts'
import { generateTypescript } from './typescript.ts'

const ROOT = dirname(dirname(dirname(dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url))))))))
const payload = (type: string, value: string) => ({ type, value })
const FLAG = {
  name: "new-check'out.2",
  environments: [
    { variants: [{ name: 'legacy' }], strategies: [] },
    {
      variants: [],
      strategies: [
        { disabled: true, variants: [{ name: 'never' }] },
        {
          disabled: false,
          variants: [
            { name: 'blue', payload: payload('string', 'a') },
            { name: 'list', payload: payload('csv', 'a,b') },
            { name: 'tree', payload: payload('json', '{"a":1}') },
            { name: 'tree2', payload: payload('json', '{"a":2,"b-c":[true]}') },
          ],
        },
      ],
    },
    { variants: [{ name: 'blue', payload: payload('number', '7') }], strategies: [] },
  ],
}
const PLAIN = { name: '2fast', environments: [] }

/** Sample code for the official SDKs. Some lines must compile, other lines must not compile. */
const USES = `import type { Unleash } from 'unleash-client'
import type { UnleashClient } from 'unleash-proxy-client'
import { isNewCheckOut2On, readNewCheckOut2 } from './typed.ts'
import { isFlag2fastOn } from './plain.ts'

declare const server: Unleash
declare const page: UnleashClient
export const on: boolean[] = [isNewCheckOut2On(server, { userId: '7' }), isNewCheckOut2On(page), isFlag2fastOn(server)]
const variant = readNewCheckOut2(server, { userId: '7' })
export const names: 'blue' | 'legacy' | 'list' | 'tree' | 'tree2' | 'disabled' = variant.name
if (variant.name === 'blue') void (variant.payload satisfies string | number | undefined)
if (variant.name === 'list') void (variant.payload satisfies readonly string[] | undefined)
if (variant.name === 'tree') {
  void (variant.payload?.a satisfies number | undefined)
  void (variant.payload?.['b-c'] satisfies readonly boolean[] | null | undefined)
}
if (variant.name === 'legacy') void (variant.payload satisfies undefined)
// @ts-expect-error there is no such variant
if (variant.name === 'never') void 0
// @ts-expect-error a list is not a number
if (variant.name === 'list') void (variant.payload satisfies number | undefined)
`

let folder: string
beforeAll(() => {
  // The folder is below the repository root, where the SDKs are installed.
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  folder = mkdtempSync(join(ROOT, '.cache', 'typed-'))
  writeFileSync(join(folder, 'typed.ts'), generateTypescript(toTypedFlag(FLAG)))
  writeFileSync(join(folder, 'plain.ts'), generateTypescript(toTypedFlag(PLAIN)))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('typed code of a flag', () => {
  test('has the declared types when compiled against the official SDKs', () => {
    writeFileSync(join(folder, 'uses.ts'), USES)
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      target: 'es2024',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2024', 'dom'],
      types: ['node'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const { stdout } = spawnSync(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  test.each([
    ['a text', { name: 'blue', payload: payload('string', 'x') }, { name: 'blue', payload: 'x' }],
    [
      'a number, as in another environment',
      { name: 'blue', payload: payload('number', '7') },
      { name: 'blue', payload: 7 },
    ],
    ['no payload', { name: 'blue' }, { name: 'blue', payload: undefined }],
    ['a payload of a type that it has not', { name: 'blue', payload: payload('json', '{}') }, { name: 'blue' }],
    ['a list', { name: 'list', payload: payload('csv', 'a,b') }, { name: 'list', payload: ['a', 'b'] }],
    ['a tree', { name: 'tree', payload: payload('json', '{"a":1}') }, { name: 'tree', payload: { a: 1 } }],
    ['a variant that it has not', { name: 'pink', payload: payload('string', 'x') }, { name: 'disabled' }],
    ['none', { name: 'disabled' }, { name: 'disabled', payload: undefined }],
  ])('reads %s', async (_what, given, read) => {
    const { readNewCheckOut2 } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'typed.ts')).href)
    const asked: unknown[] = []
    const client = {
      isEnabled: () => true,
      getVariant: (...args: unknown[]) => {
        asked.push(args)
        return given
      },
    }
    expect(readNewCheckOut2(client, { userId: '7' })).toEqual(read)
    expect(asked).toEqual([["new-check'out.2", { userId: '7' }]])
  })
})
