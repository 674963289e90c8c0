import type { Event } from '@burgee/protocol/event'
import Mustache from 'mustache'
import { describe, expect, test } from 'vitest'
import { checkTemplate, renderTemplate } from './templates.ts'

const EVENT = { type: 'feature-created', tags: [{ value: '"a"' }, { value: 'b' }] } as unknown as Event
const TAGS = '{{#event.tags}}'
const AGAIN = '{{/event.tags}}'
const nested = (times: number) => `${TAGS.repeat(times)}{{value}}${AGAIN.repeat(times)}`
const asJson = (times: number) => `${'{{#json}}'.repeat(times)}"{{event.type}}"${'{{/json}}'.repeat(times)}`

describe('a template becomes', () => {
  test.each([
    ['{{#event.tags}}{{value}};{{/event.tags}}', '&quot;a&quot;;b;'],
    [nested(3), '&quot;a&quot;b'.repeat(4)],
    [asJson(1), '"\\"feature-created\\""'],
    ['{{event.nothing}}', ''],
  ])('%s', (template, text) => {
    expect(renderTemplate(template, EVENT)).toBe(text)
  })
})

describe('it is given up, however little it says itself, where it would be', () => {
  test.each([
    ['a section in itself, forty times', nested(40)],
    ['JSON in JSON, forty times', asJson(40)],
    ['a long text, again and again', `${'{{#json}}'.repeat(60)}${'x'.repeat(19_000)}${'{{/json}}'.repeat(60)}`],
    ['the whole event, thousands of times', '{{{eventJson}}}'.repeat(1300)],
  ])('%s', (_what, template) => {
    const event = { ...EVENT, data: 'x'.repeat(1000) } as Event
    expect(() => renderTemplate(template, event)).toThrow('too long')
  })
})

test('nothing of a template is kept in memory', () => {
  const sizes: number[] = []
  for (let number = 0; number < 3; number += 1) {
    checkTemplate(`{{a}}${number}`)
    renderTemplate(`{{a}}${number}`, EVENT)
    sizes.push(Object.keys(Object(Reflect.get(Mustache, 'templateCache'))._cache).length)
  }
  expect(sizes).toEqual([0, 0, 0])
})
