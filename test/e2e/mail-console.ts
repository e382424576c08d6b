import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { deliverAs, type MailHeaders, newAddress, rawMail } from '../features/mail/mails.ts'
import { openConsole } from '../support/console.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { password, type Visitor, visit } from '../support/visitor.ts'

type Options = Parameters<typeof openConsole>[1]

/** The console with a deal, its contact, and a function that delivers a raw mail at the address of the deal. */
export async function openMailConsole(t: TestContext, options?: Options) {
  const opened = await openConsole(t, options)
  const { api, url } = opened
  const organization = await make(api, 'organization', { name: 'Navy' })
  const contact = await make(api, 'contact', {
    ...{ first_name: 'Grace', last_name: 'Hopper', organization_id: organization.id },
    emails: [{ email: 'grace@navy.example' }],
  })
  const deal = await make(api, 'deal', { title: 'Hampers', organization_id: organization.id, contact_id: contact.id })
  const { address } = await addressOf(api, deal)
  const deliver = async (headers: MailHeaders = {}, body?: string): Promise<JsonRecord> => {
    const response = await deliverAs({ url }, api, address, rawMail(headers, body))
    assert.equal(response.status, 201)
    return response.body.data
  }
  return { ...opened, organization, contact, deal, address, deliver }
}

function addressOf(api: Visitor, { id }: JsonRecord): Promise<JsonRecord> {
  return newAddress(api as never, { kind: 'deal', deal_id: id })
}

/** Adds a user to the company of a visitor, and signs in. */
export async function addColleague(url: string, api: Visitor, email: string, role = 'member'): Promise<Visitor> {
  const { body } = await api.post('/console/users', { full_name: 'Bob Lind', email, role })
  const colleague = visit(url)
  const accepted = await colleague.post('/console/invitation/accept', { token: body.data.invitation, password })
  assert.equal(accepted.status, 201)
  return colleague
}

/** The headers and the body of a mail with HTML. */
export function htmlMail(html: string, headers: MailHeaders = {}): [MailHeaders, string] {
  return [{ 'MIME-Version': '1.0', 'Content-Type': 'text/html; charset=utf-8', ...headers }, `${html}\r\n`]
}

/** The console with an address of the company, and a function that delivers a raw mail there. */
export async function openInbox(t: TestContext, options?: Options) {
  const opened = await openConsole(t, options)
  const { address } = await newAddress(opened.api as never)
  const deliver = async (headers: MailHeaders = {}, body?: string): Promise<JsonRecord> => {
    const response = await deliverAs({ url: opened.url }, opened.api, address, rawMail(headers, body))
    assert.equal(response.status, 201)
    return response.body.data
  }
  return { ...opened, address, deliver }
}
