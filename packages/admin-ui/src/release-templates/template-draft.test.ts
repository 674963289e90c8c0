import { expect, test } from 'vitest'
import { replaceEntry } from '../ui/form/keyed-list.ts'
import { createTemplateDraft, isReady, toTemplateInput } from './template-draft.ts'

test('a new template needs only a name', () => {
  const draft = createTemplateDraft()
  expect(isReady(draft)).toBe(false)
  expect(isReady({ ...draft, name: ' Careful ' })).toBe(true)
  expect(toTemplateInput({ ...draft, name: ' Careful ' })).toMatchObject({
    name: 'Careful',
    milestones: [
      { name: '10%', transitionCondition: { intervalMinutes: 1440 } },
      { name: '50%', transitionCondition: { intervalMinutes: 1440 } },
      { name: '100%', transitionCondition: null },
    ],
  })
})

test('each flag gets its own group id', () => {
  const [milestone] = toTemplateInput(createTemplateDraft()).milestones ?? []
  expect(milestone?.strategies?.[0]?.parameters).toEqual({ rollout: '10', stickiness: 'default' })
})

test('a milestone without a strategy or with no time cannot be saved', () => {
  const draft = { ...createTemplateDraft(), name: 'Careful' }
  const [first] = draft.milestones
  if (first === undefined) throw new Error('The template has no milestones')
  const put = (change: Partial<typeof first.value>) => ({
    ...draft,
    milestones: replaceEntry(draft.milestones, first.key, { ...first.value, ...change }),
  })
  expect(isReady(put({ strategies: [] }))).toBe(false)
  expect(isReady(put({ intervalMinutes: 0 }))).toBe(false)
  expect(isReady(put({ intervalMinutes: null }))).toBe(true)
})
