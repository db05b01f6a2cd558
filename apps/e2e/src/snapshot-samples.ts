const rule = (rule_type: string, constraint: string) => ({ [rule_type]: { rule_type, constraint } });

const plain = (environment: string, value: string | null) => ({
  environment,
  external: null,
  evaluated: false,
  source: environment,
  value,
  raw: value,
});

const parameter = (name: string, extraFields: object) => ({
  name,
  param_type: 'string',
  project: 'shop',
  secret: false,
  rules: {},
  values: {},
  ...extraFields,
});

const shop = (secret: string) => ({
  name: 'shop',
  parent: 'base',
  parameters: {
    PORT: parameter('PORT', {
      param_type: 'high port',
      rules: rule('max', '9000'),
      values: {
        default: plain('default', '8080'),
        production: plain('production', '8443'),
        // Inherited, so it is not set in staging.
        staging: { ...plain('staging', '8080'), source: 'default' },
      },
    }),
    BANNER: parameter('BANNER', {
      values: { default: plain('default', 'hello'), qa: plain('qa', null), staging: null },
    }),
    PASSWORD: parameter('PASSWORD', { secret: true, values: { default: plain('default', secret) } }),
    PASSWORD_COPY: parameter('PASSWORD_COPY', {
      secret: true,
      values: { default: { ...plain('default', secret), evaluated: true, raw: '{{ PASSWORD }}' } },
    }),
    DATABASE_URL: parameter('DATABASE_URL', {
      values: {
        default: {
          environment: 'default',
          external: null,
          evaluated: true,
          value: `postgres://shop:${secret}@db:5432`,
          raw: 'postgres://shop:{{ PASSWORD }}@db:{{ DB_PORT }}',
        },
      },
    }),
    // It could not be evaluated when the snapshot was taken.
    BROKEN: parameter('BROKEN', {
      values: {
        default: {
          environment: 'default',
          external: null,
          evaluated: false,
          value: null,
          raw: '{{ BANNER | upcase }}',
        },
      },
    }),
    FROM_VAULT: parameter('FROM_VAULT', {
      values: {
        default: {
          environment: 'default',
          external: { fqn: 'github://org/repo/main/file' },
          evaluated: false,
          value: 'from outside',
        },
      },
    }),
    RENDERED: parameter('RENDERED', {
      values: { default: { environment: 'default', external: null, evaluated: true, value: `with ${secret}` } },
    }),
    ENABLED: parameter('ENABLED', { param_type: 'Boolean', values: { default: plain('default', 'true') } }),
    DB_PORT_COPY: parameter('DB_PORT_COPY', {
      values: { default: { ...plain('default', '5432'), project: 'base' } },
    }),
  },
  templates: {},
  color: 'a member that we do not know',
});

/**
 * Returns a snapshot as another implementation of version 1 writes it: without optional members, with members that we do not know, and with
 * inherited values.
 */
export function createForeignSnapshot({ secret }: { readonly secret: string }): string {
  const base = {
    name: 'base',
    parameters: {
      DB_PORT: {
        ...parameter('DB_PORT', { param_type: 'port', values: { default: plain('default', '5432') } }),
        project: 'base',
      },
    },
    templates: {
      'motd.txt': { name: 'motd.txt', text: 'Port {{ DB_PORT }}\n', description: null },
      // It refers to a project that is imported later.
      'all.txt': { name: 'all.txt', text: '{{ strata.projects.shop.parameters.PORT }}', description: null },
    },
  };
  return JSON.stringify({
    environments: {
      default: { name: 'default' },
      // before its parent
      qa: { name: 'qa', parent: 'staging' },
      production: { name: 'production', parent: 'default' },
      staging: { name: 'staging', parent: 'default', description: null },
    },
    types: {
      'high port': { name: 'high port', parent: 'port', rules: rule('min', '1024') },
      port: {
        name: 'port',
        parent: 'integer',
        rules: { ...rule('min', '1'), ...rule('max', '65535'), ...rule('even', 'yes') },
      },
      code: {
        name: 'code',
        parent: 'string',
        rules: { ...rule('regex', '[A-Z]+'), ...rule('min_len', '2'), ...rule('max_len', '4') },
      },
    },
    // before the project that it depends on
    projects: { shop: shop(secret), base },
    timestamp: '2024-05-01T00:00:00Z',
  });
}
