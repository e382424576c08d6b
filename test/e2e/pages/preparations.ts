import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { startPageProxy, withoutHaproxy } from '../../cluster/haproxy.ts'
import { startEtcd, withoutEtcd } from '../../cluster/real-etcd.ts'
import { freePort } from '../../support/free-port.ts'
import { withoutOpenssl } from '../../support/needs.ts'
import { until } from '../../support/wait.ts'

/** What a reader has before the first command of a page: a server with a company, a key, and a record of each kind. */
export const company = `
export KONTOR_URL=$(kontor serve --data /var/lib/kontor --welcome | jq -r .url)
export KONTOR_KEY=$(grep -o -m 1 'svc_live_\\w*' < <(tail -s 0.05 -n +1 --pid="$(cat "$MACHINE"/pids/*)" -f "$MACHINE"/logs/*.err))
me=$(curl "$KONTOR_URL/api-v1-me" -H "Authorization: Bearer $KONTOR_KEY")
COMPANY=$(jq -r .data.company.id <<<"$me") COMPANY_ID=$(jq -r .data.company.id <<<"$me") KEY_ID=$(jq -r .data.key.id <<<"$me")
post() { curl "$KONTOR_URL/api-v1-$1" -H "Authorization: Bearer $KONTOR_KEY" -H 'Content-Type: application/json' -d "$2"; }
ORGANIZATION=$(post organizations '{"name":"Müller Feinkost","status":"active"}' | jq -r .data.id)
ID=$(post contacts '{"first_name":"Otto","organization_id":"'$ORGANIZATION'"}' | jq -r .data.id)
STAGE=$(post deals '{"title":"Hampers","value":75000,"currency":"EUR","contact_id":"'$ID'"}' | jq -r .data.stage.id)
post tasks '{"title":"Call"}' >/dev/null
post activities '{"type":"note","title":"Met","contact_id":"'$ID'"}' >/dev/null
JOB_ID=$(post bulk/contacts '{"records":[{"first_name":"Eve"}]}' | jq -r .data.job_id)
echo '{"id":"'$ORGANIZATION'"}'
`

/** The organization as the README and docs/api.md show it. */
export const organization = '{"id":"01a201e5-2627-7000-8000-02aa19ebf88a"}'

interface Preparation {
  /** Why it cannot be made on this machine. */
  skip?: string | false
  make: (t: TestContext, machine: string) => string | Promise<string>
}

const newCompany = `COMPANY=$(kontor company create --name Again --plan enterprise --json | jq -r .id)
export KONTOR_KEY=$(kontor key create --company $COMPANY --name All --scopes admin:all --json | jq -r .key)`
const text = (commands: string): Preparation => ({ make: () => commands })
const declare = (key: string) =>
  `for resource in organization contact deal; do post fields '{"resource":"'$resource'","key":"${key}","label":"${key}","type":"text","unique":true}'; done`
const sample = (from: string, to: string) => `cp "$SAMPLES/${from}" ${to}`

/** What a reader has done or has beside that, before the first command of a page, of a heading of it, or of a block that begins so. */
export const preparations: Record<string, Preparation> = {
  'docs/api.md#Duplicates and merge': text(
    `post contacts '{"first_name":"Ada","emails":[{"email":"ada@mueller.example"}]}'`,
  ),
  'docs/cells.md#Move a company': {
    skip: withoutHaproxy,
    async make(t, machine) {
      const admin = `${machine}/run/haproxy/admin.sock`
      startPageProxy(t, { map: `${machine}/etc/haproxy/cells.map`, admin, port: await freePort() })
      await until('HAProxy has its socket', () => existsSync(admin))
      return `kontor serve --data /var/lib/kontor-aa --cell aa
kontor serve --data /var/lib/kontor-bb --cell bb
COMPANY=$(kontor company create --name Moving --data /var/lib/kontor-aa --json | jq -r .id)`
    },
  },
  'docs/cluster.md': {
    skip: withoutEtcd || withoutOpenssl,
    async make(t) {
      const [member] = await startEtcd(t, 1)
      return `kontor serve --data /var/lib/kontor --log etcd://127.0.0.1:${member!.port}/kontor --advertise http://10.0.0.11:8080`
    },
  },
  'docs/cluster.md#etcd=': {
    async make() {
      const [port, peers] = [await freePort(), await freePort()]
      return `ETCD=${port}
etcd --name m0 --listen-client-urls https://127.0.0.1:$ETCD --advertise-client-urls https://127.0.0.1:$ETCD \\
  --listen-peer-urls http://127.0.0.1:${peers} --initial-advertise-peer-urls http://127.0.0.1:${peers} --initial-cluster m0=http://127.0.0.1:${peers} \\
  --cert-file etcd.pem --key-file etcd.key --trusted-ca-file ca.pem --client-cert-auth >etcd.log 2>&1 & echo $! >"$MACHINE/pids/etcd"
curl --retry 60 --retry-all-errors --retry-delay 1 --cacert ca.pem --cert kontor.pem --key kontor.key https://127.0.0.1:$ETCD/health`
    },
  },
  'docs/export.md#Come back with CSV': text(newCompany),
  'docs/files.md': text(`DEAL_ID=$(post deals '{"title":"Offer"}' | jq -r .data.id)
echo Offer >offer.pdf`),
  'docs/import.md': text(`cat >customers.csv <<'END'
First name,Last name,E-mail
Ada,Weber,ada@mueller.example
END
echo '{"name":"Weingut Abendrot"}' >companies.ndjson`),
  'docs/import.md#HubSpot': text(`${sample('hubspot-companies.csv', 'companies.csv')}
${sample('hubspot-contacts.csv', 'contacts.csv')}
cat >deals.csv <<'END'
Record ID,Deal Name,Amount,Deal Stage,Pipeline,Close Date,Associated Company,Associated Company IDs,Associated Contact IDs
501,Hampers,1200.50,Won,Sales,2026-11-30,Müller Feinkost,7001,901
END`),
  'docs/import.md#Pipedrive': text(`${newCompany}
${declare('pipedrive_id')}
${sample('pipedrive-organizations.csv', 'organizations.csv')}
${sample('pipedrive-people.csv', 'people.csv')}
cat >deals-open.csv <<'END'
Deal - ID,Deal - Title,Deal - Value,Deal - Currency,Deal - Stage,Deal - Status,Deal - Organization
7,Baskets,300,EUR,Lead,Open,Müller Feinkost
END
sed 's/^7,Baskets,\\(.*\\),Open,/8,Crates,\\1,Won,/' deals-open.csv >deals-closed.csv`),
  'docs/import.md#Salesforce': text(`${newCompany}
${declare('salesforce_id')}
post stages '{"name":"Closed Won","kind":"won"}'
${sample('salesforce-accounts.csv', 'Account.csv')}
${sample('salesforce-contacts.csv', 'Contact.csv')}
cat >Opportunity.csv <<'END'
Id,IsDeleted,AccountId,Name,StageName,Amount,CloseDate,OwnerId
0065g00000AbCdEAAV,0,0015g00000AbCdEAAV,Crates,Closed Won,900.0,2026-12-24,0055g000001XyZaAAK
END`),
  'docs/import.md#Google Contacts': text(sample('google-contacts.csv', 'contacts.csv')),
  'docs/operations.md#HTTPS by Kontor itself': {
    skip: withoutOpenssl,
    make: () =>
      'openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=crm.example.com -keyout privkey.pem -out fullchain.pem',
  },
  'docs/operations.md#Litestream': text('kontor backup /tmp/kontor.db --data /var/lib/kontor'),
  'docs/operations.md#Upgrade': text(
    'kontor backup /tmp/v3.db --data /var/lib/kontor && mv /tmp/v3.db /var/lib/kontor/kontor.db.v3.bak',
  ),
  'docs/sandbox.md#Control': text(
    `eval "$(kontor sandbox | jq -r '"export KONTOR_URL=\\(.url) KONTOR_KEY=\\(.key)"')"`,
  ),
}
