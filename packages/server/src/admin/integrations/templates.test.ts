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

describe('a name that data does not have itself becomes nothing', () => {
  const event = {
    ...EVENT,
    featureName: 'f',
    data: JSON.parse('{"__proto__": {"x": 1}, "constructor": 2, "prototype": 3, "own": null}'),
  } as Event
  test.each([
    '{{__proto__}}{{constructor}}{{prototype}}{{toString}}{{valueOf}}',
    '{{json.__proto__.constructor}}{{json.constructor}}{{json.name}}',
    '{{event.__proto__}}{{event.constructor}}{{event.constructor.name}}{{event.toString}}{{event.hasOwnProperty}}',
    '{{event.data.__proto__.x}}{{event.data.constructor}}{{event.data.prototype}}{{event.data.own}}',
    '{{event.tags.map}}{{event.tags.constructor.name}}{{event.featureName.constructor}}{{event.featureName.big}}',
    '{{#constructor}}a{{/constructor}}{{#event.__proto__}}b{{/event.__proto__}}{{#event.tags.map}}c{{/event.tags.map}}',
    '{{>__proto__}}{{>constructor}}{{>toString}}',
    '{{#event}}{{constructor}}{{__proto__.constructor}}{{/event}}{{#event.tags}}{{constructor}}{{/event.tags}}',
  ])('%s', (template) => {
    expect(renderTemplate(template, event)).toBe('')
  })

  test.each([
    ['{{#event.tags}}{{event.type}};{{/event.tags}}', 'feature-created;feature-created;'],
    ['{{event.tags.length}}{{event.featureName.length}}', '21'],
    ['{{#event.tags}}{{#value}}{{.}} {{/value}}{{/event.tags}}', '&quot;a&quot; b '],
    ['{{^event.nothing}}none{{/event.nothing}}', 'none'],
  ])('while %s becomes %s', (template, text) => {
    expect(renderTemplate(template, event)).toBe(text)
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

test('templates are not cached in memory', () => {
  const sizes: number[] = []
  for (let number = 0; number < 3; number += 1) {
    checkTemplate(`{{a}}${number}`)
    renderTemplate(`{{a}}${number}`, EVENT)
    sizes.push(Object.keys(Object(Reflect.get(Mustache, 'templateCache'))._cache).length)
  }
  expect(sizes).toEqual([0, 0, 0])
})
