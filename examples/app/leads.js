import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'

/** Stores a lead as a deal. Tries three times; the idempotency key makes that safe. Throws Error with the reason. */
export async function saveLead({ url, key }, title) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': randomUUID(),
  }
  for (let attempt = 1; ; attempt++) {
    const request = { method: 'POST', headers, body: JSON.stringify({ title }) }
    const response = await fetch(`${url}/api-v1-deals`, request).catch(() => undefined)
    if (response?.ok) return (await response.json()).data
    const isTemporary = response === undefined || response.status >= 500
    if (!isTemporary || attempt === 3) throw new Error(response ? (await response.json()).error.code : 'NO_RESPONSE')
  }
}

/** A page with a form for leads. */
export function createApp(crm) {
  return createServer(async (request, response) => {
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += part
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    if (request.method === 'GET')
      return response.end('<form method="post"><input name="title"><button>Send</button></form>')
    const saved = await saveLead(crm, new URLSearchParams(body).get('title')).catch(() => undefined)
    response.end(saved ? '<p role="status">Thank you!' : '<p role="alert">Please try again later.')
  })
}
