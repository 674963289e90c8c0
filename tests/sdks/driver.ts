import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Context } from '@burgee/protocol/context'

/** Long enough to decide a whole table over HTTP on a busy machine. */
const ANSWER_LIMIT_MS = 300_000

/** Options of a client, in the terms of the scenarios. Drivers translate these options for their SDK. */
export interface ClientOptions {
  readonly url: string
  readonly token: string
  readonly appName: string
  readonly instanceId: string
  readonly intervalSeconds: number
  /** Folder for the backup of the SDK. */
  readonly folder: string
  readonly streaming?: boolean
  readonly delta?: boolean
  readonly project?: string
  readonly prefix?: string
  readonly tag?: string
}

/**
 * Decision of an SDK: on or off, name of the variant, payload. If there is no payload, an SDK returns null or omits the
 * property.
 */
export type Decision = readonly [isEnabled: boolean, variant: string, payload?: string | null]

/**
 * Command of a driver with its arguments. Each command names the client that it is for, because a driver may run
 * several.
 */
type Command =
  | ({ readonly do: 'start'; readonly client: string } & ClientOptions)
  | {
      readonly do: 'decide'
      readonly client: string
      readonly flags: readonly string[]
      readonly contexts: readonly Context[]
    }
  | {
      readonly do: 'ask'
      readonly client: string
      readonly flag: string
      readonly context: Context
      readonly times: number
    }
  | { readonly do: 'measure'; readonly client: string; readonly name: string }
  | { readonly do: 'stop'; readonly client: string }

interface Answer {
  readonly error?: string
  readonly decisions?: readonly (readonly Decision[])[]
  readonly isEnabled?: boolean
}

/** Process that runs an SDK. Commands and answers are lines of JSON. */
export interface Driver {
  /** Sends a command and resolves with the answer. Rejects if the SDK throws an error or the driver ends. */
  send(command: Command): Promise<Answer>
  /** Closes the input and resolves when the process has ended. */
  end(): Promise<void>
}

/** Starts a driver. */
export function startDriver(command: readonly string[], env: Readonly<Record<string, string>>): Driver {
  const [program = '', ...args] = command
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'pipe' })
  const waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = []
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors = (errors + String(chunk)).slice(-4000)
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let endedWith: string | undefined
  const rejectAll = (reason: string) => {
    endedWith = `${reason}\n${errors}`
    for (const { reject } of waiting.splice(0)) reject(new Error(endedWith))
  }
  child.on('error', (error) => rejectAll(error.message))
  child.on('close', (code) => rejectAll(`The driver ended with ${code}`))
  createInterface({ input: child.stdout }).on('line', (line) => {
    // the SDK may print further lines
    if (line.startsWith('{')) waiting.shift()?.resolve(JSON.parse(line))
  })
  child.stdin.on('error', () => undefined)
  return {
    send: async (sent) => {
      if (endedWith !== undefined) throw new Error(endedWith)
      const answer = await new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`No answer to ${sent.do}\n${errors}`)), ANSWER_LIMIT_MS)
        const settle = <T>(end: (value: T) => void) => {
          return (value: T) => {
            clearTimeout(timer)
            end(value)
          }
        }
        waiting.push({ resolve: settle(resolve), reject: settle(reject) })
        child.stdin.write(`${JSON.stringify(sent)}\n`)
      })
      if (answer.error !== undefined) throw new Error(`${sent.do}: ${answer.error}`)
      return answer
    },
    end: async () => {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}
