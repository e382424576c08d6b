import { address, type FileSource, hasSome, person } from './source-columns.ts'

/** Columns of Zoho, which has a `Record Id`, too. */
const zoho = /^(?:(?:contact|account|deal|product) owner|created by|modified by|(?:account|contact) name) id$/

export const hubspot: FileSource = {
  label: 'HubSpot',
  decimal: '.',
  several: ['organization.name'],
  loose: ['pipeline.name', 'contacts:metadata.hubspot_id', 'contacts:name'],
  isOf: (names) => names.has('record id') && names.size > 1 && ![...names].some((name) => zoho.test(name)),
  columns: {
    contact: {
      ...person,
      ...{ 'record id': 'metadata.hubspot_id', email: 'emails[0].email', 'additional email addresses': 'emails:work' },
      ...{ 'phone number': 'phones:work', 'mobile phone number': 'phones:mobile', 'company name': 'organization.name' },
      ...{ 'associated company': 'organization.name', 'associated company ids': 'metadata.hubspot_company_ids' },
      ...{ 'contact owner': 'metadata.owner', 'lead status': 'metadata.lead_status' },
      ...{ 'lifecycle stage': 'metadata.lifecycle_stage', 'create date': 'metadata.source_created_at' },
    },
    organization: {
      ...{ 'record id': 'metadata.hubspot_id', 'company name': 'name', name: 'name', 'company domain name': 'domain' },
      ...{ 'website url': 'metadata.website', 'company owner': 'metadata.owner', industry: 'organization_type' },
      ...{ 'street address': 'address', city: 'city', 'state region': 'state', 'postal code': 'postal_code' },
      ...{ 'country region': 'country', 'phone number': 'metadata.phone', 'create date': 'metadata.source_created_at' },
    },
    deal: {
      ...{
        'record id': 'metadata.hubspot_id',
        'deal name': 'title',
        amount: 'value',
        'close date': 'expected_close_date',
      },
      ...{ 'deal owner': 'metadata.owner', 'deal stage': 'stage.name', currency: 'currency' },
      ...{ pipeline: 'pipeline.name', 'associated contact': 'contacts:name' },
      ...{ 'associated company': 'organization.name', 'create date': 'metadata.source_created_at' },
      ...{
        'associated company ids': 'metadata.hubspot_company_ids',
        'associated contact ids': 'contacts:metadata.hubspot_id',
      },
    },
    product: {
      ...{ 'record id': 'metadata.hubspot_id', name: 'name', 'product name': 'name', sku: 'sku', currency: 'currency' },
      ...{ 'unit price': 'price', price: 'price', description: 'description', 'product description': 'description' },
      'create date': 'metadata.source_created_at',
    },
    line_item: {
      ...{ 'record id': 'metadata.hubspot_id', name: 'name', sku: 'product.sku', quantity: 'quantity' },
      ...{ 'unit price': 'unit_price', 'discount percentage': 'discount_percent', 'tax rate': 'tax_percent' },
      ...{ 'associated deal ids': 'deal.metadata.hubspot_id', 'associated deal': 'deal.title', currency: '' },
      'create date': 'metadata.source_created_at',
    },
  },
}

const pipedrivePerson = {
  ...{ name: 'full_name', 'first name': 'first_name', 'last name': 'last_name', organization: 'organization.name' },
  ...{
    'email work': 'emails:work',
    'email home': 'emails:personal',
    'email other': 'emails:other',
    email: 'emails:work',
  },
  ...{
    'phone work': 'phones:work',
    'phone home': 'phones:home',
    'phone mobile': 'phones:mobile',
    'phone other': 'phones:other',
  },
  ...{
    phone: 'phones:work',
    id: 'metadata.pipedrive_id',
    label: 'metadata.labels',
    labels: 'metadata.labels',
    'label s': 'metadata.labels',
  },
  ...{ owner: 'metadata.owner', 'person created': 'metadata.source_created_at', 'job title': 'job_title' },
}

export const pipedrive: FileSource = {
  label: 'Pipedrive',
  loose: ['pipeline.name', 'contacts:name'],
  isOf: (names) => [...names].every((name) => /^(?:person|organization|deal|activity|lead|product) /.test(name)),
  columns: {
    contact: prefixed('person', pipedrivePerson),
    organization: prefixed('organization', {
      ...{ name: 'name', address: 'address', id: 'metadata.pipedrive_id', owner: 'metadata.owner', website: 'domain' },
      ...{ label: 'metadata.labels', labels: 'metadata.labels', 'label s': 'metadata.labels' },
      ...{ 'city town village locality of address': 'city', 'zip postal code of address': 'postal_code' },
      ...{ 'country of address': 'country', 'organization created': 'metadata.source_created_at' },
    }),
    deal: prefixed('deal', {
      ...{
        title: 'title',
        value: 'value',
        'currency of value': 'currency',
        currency: 'currency',
        id: 'metadata.pipedrive_id',
      },
      ...{
        pipeline: 'pipeline.name',
        stage: 'stage.name',
        status: 'metadata.status',
        owner: 'metadata.owner',
        probability: 'probability',
      },
      ...{ 'expected close date': 'expected_close_date', 'lost reason': 'metadata.lost_reason' },
      ...{
        'contact person': 'contacts:name',
        organization: 'organization.name',
        'deal created': 'metadata.source_created_at',
      },
    }),
    product: prefixed('product', {
      ...{ name: 'name', code: 'sku', 'product code': 'sku', unit: 'unit', description: 'description' },
      ...{
        id: 'metadata.pipedrive_id',
        price: 'price',
        'unit price': 'price',
        currency: 'currency',
        active: 'is_active',
      },
    }),
    line_item: {
      ...prefixed('deal', { id: 'deal.metadata.pipedrive_id', title: 'deal.title' }),
      ...prefixed('product', {
        ...{ name: 'product.name', code: 'product.sku', 'product code': 'product.sku', quantity: 'quantity' },
        ...{
          price: 'unit_price',
          'unit price': 'unit_price',
          'item price': 'unit_price',
          comments: 'metadata.comments',
        },
        ...{ discount: 'discount_percent', tax: 'tax_percent', sum: '', total: '', amount: '', currency: '', id: '' },
      }),
    },
  },
}

function prefixed(prefix: string, columns: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).map(([name, path]) => [`${prefix} ${name}`, path]))
}

const salesforceAll = {
  ...{ id: 'metadata.salesforce_id', isdeleted: '', masterrecordid: '', systemmodstamp: '', lastmodifieddate: '' },
  ...{ createddate: 'metadata.source_created_at', ownerid: 'metadata.salesforce_owner_id' },
}

export const salesforce: FileSource = {
  label: 'Salesforce',
  deleted: 'isdeleted',
  decimal: '.',
  loose: ['organization.metadata.salesforce_id'],
  isOf: (names) => names.has('id') && hasSome(names, 1, ['isdeleted', 'createddate', 'systemmodstamp', 'accountid']),
  columns: {
    contact: {
      ...salesforceAll,
      ...{
        firstname: 'first_name',
        middlename: 'first_name',
        lastname: 'last_name',
        salutation: 'metadata.salutation',
      },
      ...{ name: '', title: 'job_title', department: 'metadata.department', email: 'emails[0].email' },
      ...{ phone: 'phones:work', mobilephone: 'phones:mobile', homephone: 'phones:home', otherphone: 'phones:other' },
      ...address('mailing', 'country'),
      ...{
        accountid: 'organization.metadata.salesforce_id',
        leadsource: 'metadata.lead_source',
        description: 'metadata.notes',
      },
    },
    organization: {
      ...salesforceAll,
      ...{
        name: 'name',
        type: 'organization_type',
        website: 'domain',
        phone: 'metadata.phone',
        industry: 'metadata.industry',
      },
      ...{ billingstreet: 'address', billingcity: 'city', billingstate: 'state', billingpostalcode: 'postal_code' },
      ...{ billingcountry: 'country', description: 'metadata.notes' },
    },
    deal: {
      ...salesforceAll,
      ...{ name: 'title', amount: 'value', closedate: 'expected_close_date', probability: 'probability' },
      ...{ stagename: 'stage.name', currencyisocode: 'currency', accountid: 'organization.metadata.salesforce_id' },
    },
  },
}
