import { SeriesRegistry } from '@burgee/kit/series/series'
import { describe, expect, test } from 'vitest'
import { MailQueue } from './mail-queue.ts'
import type { EmailMessage, Send } from './smtp.ts'

const letter: EmailMessage = { to: 'a@example.com', mail: { subject: 's', text: 't', html: 'h' } }

function createQueue(send: Send, pausesMs: readonly number[] = []) {
  const lines: string[] = []
  const note = (line: string) => void lines.push(line)
  const logger = { debug: note, info: note, warn: note, error: note, fatal: note }
  const registry = new SeriesRegistry()
  const queue = new MailQueue({ send, logger, pausesMs, mails: registry.counter('mails', 'Mails.') })
  return { queue, lines, series: () => registry.text() }
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 10))

describe('queued mails', () => {
  test('four are sent at a time, a thousand wait at most, and one more is refused', async () => {
    let sending = 0
    const { queue, lines } = createQueue(() => {
      sending += 1
      return new Promise(() => {})
    })
    const taken = Array.from({ length: 1002 }, () => queue.add('reset-password', async () => letter))
    await settled()
    expect([taken.filter((one) => one).length, taken.slice(-3), sending]).toEqual([1000, [true, false, false], 4])
    expect(lines).toEqual(['A mail (reset-password) is not sent: 1000 mails are already waiting'])
  })

  test('render once, however often their delivery is retried', async () => {
    let written = 0
    let sent = 0
    const { queue, series } = createQueue(async () => {
      sent += 1
      if (sent < 3) throw new Error('not now')
    }, [1, 1])
    queue.add('getting-started', async () => {
      written += 1
      return letter
    })
    await expect.poll(series).toContain('result="success"')
    expect([written, sent]).toEqual([1, 3])
    expect(series()).toMatch(/result="retry"\} 2\n.*result="success"\} 1/)
  })

  test('retry after a rendering error, and then give up', async () => {
    const { queue, lines } = createQueue(async () => {}, [1])
    queue.add('getting-started', () => Promise.reject(new TypeError('of the reader a@example.com')))
    await expect.poll(() => lines.length).toBe(2)
    expect(lines).toEqual([
      'Cannot send a mail (getting-started): TypeError. Retrying in 1 s',
      'Cannot send a mail (getting-started): TypeError. Giving up after 2 attempts',
    ])
  })
})
