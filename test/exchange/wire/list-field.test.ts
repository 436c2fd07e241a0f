import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  listField,
  listOrOneField,
  pageField,
  partialListField,
} from '../../../src/exchange/wire/list-field.ts'
import { decimalField } from '../../../src/exchange/wire/wire-field.ts'

const item = z.object({ name: z.string(), price: decimalField }).transform(({ price }) => price.toFixed())
const entry = (name: string, price: string) => ({ name, price })
const TWO = [entry('a', '1'), entry('b', '2')]

describe('a list', () => {
  const list = listField(item, 'orders')

  it.each([
    ['bare', TWO],
    ['under its name', { orders: TWO }],
    ['under the usual name', { list: TWO }],
    ['under a name beside a count', { count: '2', rows: TWO }],
    ['in two envelopes', { data: { list: TWO } }],
  ])('is read %s', (_name, value) => {
    expect(list.parse(value)).toEqual(['1', '2'])
  })

  it.each([
    ['null', null],
    ['null under its name', { list: null }],
    ['an empty array', []],
  ])('is empty as %s', (_name, value) => {
    expect(list.parse(value)).toEqual([])
  })

  it.each([
    ['an object without a list', { count: '0' }],
    ['an empty object', {}],
    ['a list under an unknown name', { errors: [] }],
    ['text', ''],
    ['nothing', undefined],
    ['one entry that cannot be read', [...TWO, entry('c', 'three')]],
  ])('is not read from %s', (_name, value) => {
    expect(list.safeParse(value).success).toBe(false)
  })

  it('may be a single item', () => {
    expect(listOrOneField(item).parse(entry('a', '1'))).toEqual(['1'])
    expect(listOrOneField(item).parse({ list: TWO })).toEqual(['1', '2'])
  })
})

describe('a partial list', () => {
  const list = partialListField(item, 'name')

  it('leaves out what cannot be read, with its name and its key', () => {
    expect(list.parse({ list: [...TWO, entry('c', 'three'), { price: '4' }, null] })).toEqual({
      entries: ['1', '2'],
      unreadable: [
        { name: 'c', key: 'price', rule: 'must be a decimal number' },
        { name: undefined, key: 'name', rule: expect.any(String) },
        { name: undefined, key: 'its content', rule: expect.any(String) },
      ],
    })
  })

  it('is refused where nothing of it can be read', () => {
    const { error } = list.safeParse([entry('a', 'one'), entry('b', 'two')])
    expect(error?.issues[0]).toMatchObject({
      path: [0, 'price'],
      message: 'must be a decimal number in the first of 2 entries, none of which can be read',
    })
  })
})

describe('a page', () => {
  const page = pageField(item, 'transList')

  it.each([
    ['under its name', { count: '7', transList: TWO }, { list: ['1', '2'], count: 7 }],
    ['under another name', { count: 7, page: '1', anything: TWO }, { list: ['1', '2'], count: 7 }],
    ['bare', TWO, { list: ['1', '2'], count: undefined }],
    ['null', null, { list: [], count: undefined }],
    ['null under its name', { transList: null }, { list: [], count: undefined }],
    ['without a list, counting none', { count: '0', anything: null }, { list: [], count: 0 }],
  ])('is read %s', (_name, value, becomes) => {
    expect(page.parse(value)).toEqual(becomes)
  })

  it.each([
    ['without a list', { count: '3' }],
    ['with two lists', { some: TWO, others: TWO }],
  ])('is not guessed %s', (_name, value) => {
    expect(page.safeParse(value).success).toBe(false)
  })
})
