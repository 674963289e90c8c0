import type { Delivery } from '@burgee/protocol/administration/delivery-receipt'
import { expect, test } from 'vitest'
import { getCoverage } from './delivery-coverage.ts'

const createDelivery = (known: number, held: number, edges: readonly boolean[]): Delivery =>
  ({
    processes: { known, held, offered: 0, waiting: [] },
    edges: edges.map((isHeld) => ({ isHeld, isSilent: false })),
  }) as unknown as Delivery

test('counts processes', () => {
  expect(getCoverage(createDelivery(3, 2, [true]))).toEqual({ areEdges: false, known: 3, held: 2, isSilent: false })
})

test('counts edges if no process receives the flag', () => {
  expect(getCoverage(createDelivery(0, 0, [true, false]))).toMatchObject({ areEdges: true, known: 2, held: 1 })
})
