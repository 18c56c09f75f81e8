/**
 * Whether a name says that its value is a key or a password: of a variable of the environment, of a
 * header, or of a part of an address.
 */
export function isKeyName(name: string): boolean {
  const plain = name.replace(/[^A-Za-z\d]+/g, "_");
  const split = plain.replace(/([a-z\d])([A-Z])/g, "$1_$2");
  return [name, plain, split].some((each) => KEY_NAME.test(each)) && !ORDINARY_NAME.test(plain);
}

/** Whether a value is a key by its shape, whatever its name: a token, a password in an address. */
export function isKeyValue(value: string): boolean {
  return KEY_TOKEN.test(value) || KEY_TEXT.test(value);
}

/** Words of names of keys, each with an example and its source. */
const NAME_WORDS: readonly string[] = [
  // GITHUB_TOKEN, AWS_SECRET_ACCESS_KEY, PGPASSWORD, Private-Token, X-Vault-Token, Cookie:
  // https://docs.github.com/en/actions/tutorials/authenticate-with-github_token
  // https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
  // https://www.postgresql.org/docs/current/libpq-envars.html
  // https://docs.gitlab.com/api/rest/authentication/
  // https://developer.hashicorp.com/vault/api-docs
  "TOKEN(?!IZ)|SECRET|PASSW|PASSPHRASE|PASSCODE|CREDENTIAL|COOKIE|BEARER|OAUTH|JWT",
  "AUTHORI[SZ]ATION|AUTHENTIC|SIGNING|WEBHOOK|MNEMONIC|SEED_?PHRASE|CONN(?:ECTION)?_?STR",
  "(?:API|ACCESS|SECRET|PRIVATE|ACCOUNT|MASTER|ENCRYPTION)_?KEY|KEY_?(?:FILE|PAIR|PHRASE)",
  // X-Api-Key, Ocp-Apim-Subscription-Key, X-Auth-Key, X-PAT, GITLAB_PAT, SENTRY_DSN, MYSQL_PWD:
  // https://learn.microsoft.com/en-us/azure/api-management/api-management-subscriptions
  // https://developers.cloudflare.com/fundamentals/api/how-to/make-api-calls/
  // https://docs.sentry.io/platforms/javascript/guides/node/configuration/options/
  "(?:^|_)(?:KEYS?|AUTH|PRIVATE|PATS?|PWD|PW|PASS|DSN|SAS|CREDS?|PSK|SIG|HMAC|SALT|DPOP)(?:_|$)",
  "(?:KEY|AUTH|(?<!ASK|BY|COM)PASS|PWD|PW|CREDS?)$",
  // NuGet's sign-ins and Bundler's for a host, files as text for a build, words of a wallet:
  // https://github.com/microsoft/artifacts-credprovider#environment-variables
  // https://bundler.io/man/bundle-config.1.html#CREDENTIALS-FOR-GEM-SOURCES
  // https://docs.github.com/en/actions/how-tos/deploy/deploy-to-third-party-platforms
  "FEED_ENDPOINTS|^BUNDLE_(?!(?:BUILD|LOCAL|MIRROR|PLUGINS)__)\\w+__\\w+$",
  "(?:KEYSTORE|KUBE_?CONFIG|P12|PFX|CERT|CERTIFICATE)_?(?:BASE64|B64|DATA|CONTENTS?)$",
  "(?:WALLET|MASTER|BIP39|RECOVERY)_?(?:SEED|WORDS)$|SEED_?WORDS$",
  "(?:^|_)(?:T?OTP|PIN|MFA)(?:_(?:CODE|SEED))?$|(?:^|_)SIGNATURE$",
  // BW_SESSION, OP_SESSION_my, X-Session-Id, PHPSESSID:
  // https://bitwarden.com/help/cli/#using-a-session-key
  // https://developer.1password.com/docs/cli/sign-in-manually/
  // https://www.php.net/manual/en/session.configuration.php
  "^OP_SESSION_|(?:^|_)SESSION(?:_?(?:ID|HASH|DATA))?$|SESS_?ID$|(?:^|_)SID$",
];
const KEY_NAME = new RegExp(NAME_WORDS.join("|"), "i");

/**
 * Names that look like keys and are none: folders, sockets of agents, the sessions of a desktop
 * and a terminal, and identifiers that are no secret.
 * https://www.freedesktop.org/software/systemd/man/latest/pam_systemd.html
 * https://www.twilio.com/docs/glossary/what-is-a-sid
 */
const ORDINARY_NAME = new RegExp(
  [
    "^(?:PWD|OLDPWD|INIT_CWD|SSH_AUTH_SOCK|XAUTHORITY)$",
    "^(?:XDG|KDE|GNOME_DESKTOP|DBUS|KONSOLE_DBUS|GNOME_KEYRING|ZELLIJ|TMUX)_SESSION(?:_|$)",
    "^(?:DESKTOP|GDM|TERM|ITERM|WT|WARP|SECURITY|KITTY|WEZTERM|XPC)_?SESSION(?:_?ID)?$",
    "(?:ACCOUNT|WORKSPACE|SERVICE)_SID$",
  ].join("|"),
  "i",
);

/** How keys of services begin, with the page that says so. */
const TOKEN_SHAPES: Readonly<Record<string, string>> = {
  "https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/":
    "gh[pousr]_|github_pat_",
  "https://docs.gitlab.com/security/tokens/#token-prefixes":
    "gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|wt|soat|ffct)-|GR1348941",
  "https://platform.openai.com/docs/api-reference/authentication": "sk-",
  "https://docs.stripe.com/keys": "[sr]k_(?:live|test)_|whsec_",
  "https://docs.slack.com/authentication/tokens": "xox[a-z]-|xox[a-z]\\.|xapp-|xwfp-",
  "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids":
    "A(?:KI|SI|BI|CC)A(?=[A-Z0-9.])|ABSK",
  "https://docs.cloud.google.com/docs/authentication/api-keys": "AIza|ya29\\.|GOCSPX-|1//0",
  "https://docs.npmjs.com/about-access-tokens": "npm_(?!config|package|lifecycle)",
  "https://pypi.org/help/#apitoken": "pypi-",
  "https://guides.rubygems.org/api-key-scopes/": "rubygems_",
  "https://crates.io/settings/tokens": "cio(?=[A-Za-z0-9]{32})",
  "https://learn.microsoft.com/en-us/nuget/nuget-org/publish-a-package": "oy2(?=[a-z0-9]{43})",
  "https://docs.docker.com/security/access-tokens/": "dckr_[po]at_",
  "https://huggingface.co/docs/hub/security-tokens": "hf_|api_org_",
  "https://www.twilio.com/docs/sendgrid/ui/account-and-settings/api-keys": "SG\\.",
  "https://www.twilio.com/docs/iam/api-keys": "SK(?=[0-9a-f]{32})",
  "https://shopify.dev/docs/apps/build/authentication-authorization": "shp(?:at|ca|pa|ss|tka)_",
  "https://docs.digitalocean.com/reference/api/create-personal-access-token/": "do[opr]_v1_",
  "https://developer.hashicorp.com/vault/docs/concepts/tokens": "hv[sbr]\\.",
  "https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens":
    "[A-Za-z0-9]{14}\\.atlasv1\\.",
  "https://grafana.com/docs/grafana/latest/administration/service-accounts/": "gl(?:sa|c)_",
  "https://docs.sentry.io/account/auth-tokens/": "sntry[a-z]_",
  "https://linear.app/developers/graphql": "lin_(?:api|oauth|wh)_",
  "https://www.pulumi.com/docs/administration/access-identity/access-tokens/":
    "pul-(?=[0-9a-f]{20})",
  "https://developers.figma.com/docs/rest-api/authentication/": "fig[dou]_",
  "https://developers.notion.com/reference/authentication": "ntn_|secret_(?=[A-Za-z0-9]{40})",
  "https://docs.databricks.com/aws/en/dev-tools/auth/pat": "dapi(?=[0-9a-f])|dose(?=[0-9a-f]{20})",
  "https://developers.brevo.com/docs/getting-started": "xkeysib-|xsmtpsib-",
  "https://documentation.mailgun.com/docs/mailgun/user-manual/api-key-mgmt/":
    "key-(?=[0-9a-f]{32})",
  "https://developer.squareup.com/docs/build-basics/access-tokens":
    "sq0[a-z]{3}-|EAAA(?=[\\w-]{40})",
  "https://learning.postman.com/docs/developer/postman-api/authentication/": "PMAK-",
  "https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys/": "NR(?:AK|JS|II|RA)-",
  "https://console.groq.com/docs/quickstart": "gsk_",
  "https://docs.x.ai/docs/tutorial": "xai-",
  "https://docs.perplexity.ai/getting-started/quickstart": "pplx-",
  "https://replicate.com/docs/reference/http#authentication": "r8_(?=\\w{20})",
  "https://docs.api.nvidia.com/nim/reference/llm-apis": "nvapi-",
  "https://docs.tavily.com/documentation/quickstart": "tvly-",
  "https://docs.fireworks.ai/api-reference/introduction": "(?:fw_|csk-|jina_|pa-)(?=[\\w-]{20})",
  "https://developer.1password.com/docs/service-accounts/security/":
    "ops_(?=eyJ)|A3-(?=[A-Z0-9]{6}-)",
  "https://age-encryption.org/": "AGE-SECRET-KEY-",
  "https://tailscale.com/kb/1277/key-prefixes": "tskey-",
  "https://fly.io/docs/security/tokens/": "fo1_|fm[12][ra]?_|FlyV1 ",
  "https://render.com/docs/api": "rnd_(?=\\w{20})",
  "https://docs.netlify.com/api-and-cli-guides/api-guides/get-started-with-api/":
    "nf[pcboua]_(?=\\w{20})",
  "https://vercel.com/docs/rest-api/reference/welcome": "vc[kpiar]_(?=\\w{20})",
  "https://supabase.com/docs/guides/api/api-keys": "sbp_|sb_secret_",
  "https://planetscale.com/docs/api/reference/service-tokens": "pscale_[a-z]+_",
  "https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/":
    "AT(?:ATT|CTT|BB|STT)(?=[\\w-]{8})",
  "https://buildkite.com/docs/apis/managing-api-tokens": "bk(?:ua|at|pt|ct)_",
  "https://circleci.com/docs/managing-api-tokens/": "CCI(?:PAT|PRJ)_",
  "https://docs.doppler.com/reference/auth-token-formats":
    "dp\\.(?:pt|st|ct|sa|scim|audit|said)\\.",
  "https://posthog.com/docs/api": "ph[xs]_(?=\\w{20})",
  "https://developers.hubspot.com/docs/apps/legacy-apps/private-apps/overview": "pat-[a-z]{2}\\d-",
  "https://resend.com/docs/dashboard/api-keys/introduction": "re_(?=[A-Za-z0-9]{8}_)",
  "https://datatracker.ietf.org/doc/html/rfc7519": "eyJ[\\w-]{10,}\\.",
};
const KEY_TOKEN = new RegExp(
  `(?:^|[\\s;=,:"'&({\\[]|//)(?:${Object.values(TOKEN_SHAPES).join("|")})[\\w.-]{8,}`,
);

/** Texts that hold keys, with the page that describes them. */
const TEXT_SHAPES: Readonly<Record<string, string>> = {
  "https://datatracker.ietf.org/doc/html/rfc3986#section-3.2.1":
    "(?:^|[\\s;,=\"'])[a-z][a-z\\d+.-]{0,30}://[^/?#\\s:]*:[^/?#\\s]+@",
  "https://learn.microsoft.com/en-us/dotnet/api/system.data.sqlclient.sqlconnection.connectionstring":
    "(?:^|[;?&\\s])\\s*(?:password|pwd|accountkey|sharedaccesskey|sharedaccesssignature)\\s*=",
  "https://datatracker.ietf.org/doc/html/rfc7468": "-----BEGIN [A-Z ]*PRIVATE KEY",
  "https://docs.cloud.google.com/iam/docs/keys-create-delete": '"private_key"\\s*:',
  // "service_account" and "PRIVATE KEY" in Base64, where they begin at each third character.
  "https://docs.cloud.google.com/docs/authentication/application-default-credentials":
    "c2VydmljZV9hY2NvdW50|NlcnZpY2VfYWNjb3Vud|zZXJ2aWNlX2FjY291bn",
  "https://datatracker.ietf.org/doc/html/rfc7468#section-10":
    "LS0tLS1CRUdJTi[a-z\\d]{1,16}?(?:UFJJVkFURSBL|BSSVZBVEUgS|QUklWQVRFIEt)",
  "https://datatracker.ietf.org/doc/html/rfc6750": "(?:^|[\\s:\"'])bearer\\s+[\\w.~+/-]{8,}",
  "https://datatracker.ietf.org/doc/html/rfc7617": "(?:^|[\\s:\"'])basic\\s+[a-z\\d+/]{8,}={1,2}",
  "https://docs.gitlab.com/api/rest/authentication/":
    "(?:(?:^|[\\s\"'])private-token:\\s*|[?&]private_token=)[\\w.-]{8,}",
  "https://docs.slack.com/messaging/sending-messages-using-incoming-webhooks/":
    "https://hooks\\.slack\\.com/(?:services|workflows|triggers)/",
  "https://discord.com/developers/docs/resources/webhook":
    "https://(?:\\w+\\.)?discord(?:app)?\\.com/api/webhooks/",
  "https://core.telegram.org/bots/api#authorizing-your-bot": "(?:^|\\bbot)\\d{8,10}:[\\w-]{35}",
  "https://learn.microsoft.com/en-us/rest/api/storageservices/create-service-sas":
    "[?&](?:sig|x-amz-signature|x-goog-signature|access_token|api_?key|token)=[\\w%.+/-]{8,}",
};
const KEY_TEXT = new RegExp(Object.values(TEXT_SHAPES).join("|"), "i");
