import assert from 'node:assert/strict'
import { test } from 'node:test'
import { email } from '../../src/engine/records/kinds/text-kinds.ts'
import { isEmailAddress } from '../../src/lib/email.ts'
import { isValid } from '../support/described.ts'

const domainOf = (characters: number) =>
  `${'d'.repeat(60)}.`
    .repeat(5)
    .slice(0, characters - 3)
    .replace(/\.$/, 'd')
    .concat('.de')

const addresses = [
  'a@b.de',
  'Grace.Hopper+sales@nordwind.example',
  "!#$%&'*+/=?^_`{|}~-@nordwind.example",
  'a@1.2',
  'a@xn--mller-kva.example',
  'grace@m\u00fcller.example',
  `${'a'.repeat(64)}@nordwind.example`,
  `a@${'b'.repeat(63)}.example`,
  `a@${domainOf(252)}`,
]

const others = [
  '',
  'grace',
  'grace@',
  '@nordwind.example',
  'grace@nordwind',
  'grace@.example',
  'grace@nordwind.',
  'grace@nordwind..example',
  'a b@nordwind.example',
  'a@b@c.example',
  '.grace@nordwind.example',
  'grace.@nordwind.example',
  'grace..hopper@nordwind.example',
  '"grace"@nordwind.example',
  'gr\u00fcn@nordwind.example',
  'grace@m\u00fcller..example',
  'grace@-nordwind.example',
  'grace@nordwind-.example',
  'grace@[127.0.0.1]',
  'grace@nord_wind.example',
  'grace@nordwind.example\n',
  `${'a'.repeat(65)}@nordwind.example`,
  `a@${'b'.repeat(64)}.example`,
  `a@${domainOf(253)}`,
]

/** decision D12 */
test('An address is accepted up to 64 characters before the @ and 254 in total, as the OpenAPI document says', () => {
  for (const address of addresses) {
    assert.ok(isEmailAddress(address), address)
    assert.ok(isValid(email().input!, address), address)
  }
})

test('An invalid address is refused, as the OpenAPI document says', () => {
  for (const text of others) {
    assert.ok(!isEmailAddress(text), text)
    assert.ok(!isValid(email().input!, text), text)
  }
})
