import type { NameList } from "./namedFiles.ts";

/** Folders and files of version control, which may hold keys in their settings. */
export const VERSION_CONTROL: NameList = `
https://git-scm.com/docs/gitrepository-layout
  .git/
https://www.mercurial-scm.org/doc/hgrc.5.html
  .hg/
https://svnbook.red-bean.com/en/1.7/svn.developer.insidewc.html
  .svn/
`;

/** Files and folders in which a program keeps its own keys. */
const PROGRAMS: NameList = `
https://man.openbsd.org/ssh-keygen
  .ssh/ id_{rsa,dsa,ecdsa,ed25519,xmss}* ssh_host_*_key
https://www.gnupg.org/documentation/manuals/gnupg/GPG-Configuration.html
  .gnupg/ private-keys-v1.d/ secring.*
https://www.passwordstore.org/
  .password-store/
https://everything.curl.dev/usingcurl/netrc.html
  {.,_}netrc {.,_}netrc.* .authinfo .authinfo.* .curlrc .wgetrc
https://git-scm.com/docs/git-credential-store
  .git-credentials .config/git/credentials
https://git-scm.com/docs/git-config#Documentation/git-config.txt-httpextraHeader
  .gitconfig .config/git/config
https://cli.github.com/manual/gh_help_environment
  .config/gh/ .config/hub gh/hosts.yml
https://docs.gitlab.com/cli/
  .config/glab-cli/
https://docs.aws.amazon.com/sdkref/latest/guide/file-location.html
  .aws/ rootkey.csv *accesskeys.csv .s3cfg .boto .passwd-s3fs
https://docs.cloud.google.com/docs/authentication/application-default-credentials
  .gcloud/ .config/gcloud/ adc.json application_default_credentials.json
  *firebase-adminsdk*.json key.json keyfile.json {sa,gcp,gcloud,google,firebase}{-,_}key.json
https://learn.microsoft.com/en-us/cli/azure/azure-cli-configuration
  .azure/ *.{azureauth,publishsettings,cscfg} *.pubxml.user local.settings.json
https://docs.oracle.com/en-us/iaas/Content/API/Concepts/sdkconfig.htm
  .oci/
https://docs.digitalocean.com/reference/doctl/
  .config/doctl/ .config/hcloud/ .config/scw/ .config/linode-cli .config/exoscale/
https://www.alibabacloud.com/help/en/cli/configure-credentials
  .aliyun/ .bluemix/ .tccli/
https://docs.openstack.org/python-openstackclient/latest/configuration/index.html
  clouds.yaml clouds.yml clouds-public.yaml secure.yaml .openstack/
https://docs.cloudfoundry.org/cf-cli/
  .cf/ .cloudflared/ .wrangler/ .config/.wrangler/ .fly/ .railway/ .supabase/access-token
https://cli.netlify.com/
  .netlify/ .config/netlify/ .config/heroku/ .config/configstore/ .config/stripe/
https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/
  .kube/ kubeconfig kubeconfig.* kubeconfig-* *.kubeconfig *-kubeconfig {k3s,rke2}.yaml admin.conf
https://docs.docker.com/reference/cli/docker/login/
  .docker/config.json .docker/contexts/ .dockercfg .dockerconfigjson *.dockerconfigjson
https://docs.siderolabs.com/talos/v1.12/reference/talosconfig
  talosconfig .talos/ talsecret.yaml
https://helm.sh/docs/helm/helm_registry_login/
  helm/registry/config.json .config/helm/ helm/repositories.yaml
https://developer.hashicorp.com/terraform/cli/config/config-file
  .terraform.d/ .terraformrc terraform.rc credentials.tfrc.json .tofurc
https://developer.hashicorp.com/terraform/language/values/variables
  *.tfvars *.tfvars.json *.pkrvars.hcl *.pkrvars.json *.tfstate *.tfstate.* *.tfplan
https://developer.hashicorp.com/vault/docs/commands/token-helper
  .vault-token
https://docs.ansible.com/projects/ansible/latest/vault_guide/vault_managing_passwords.html
  {,.}{,ansible_,ansible-}vault{,_,-}pass {,.}{,ansible_,ansible-}vault{,_,-}pass.txt
  vault.{yml,yaml}
https://kamal-deploy.org/docs/commands/secrets/
  .kamal/secrets .kamal/secrets-common secrets.{production,prod,staging,development,dev,test,beta}
https://www.pulumi.com/docs/iac/cli/
  .pulumi/ .chef/
https://getsops.io/docs/#encrypting-using-age
  sops/age/keys.txt age/keys.txt keys.txt *.agekey age-key.txt
https://docs.npmjs.com/cli/configuring-npm/npmrc
  .npmrc .yarnrc.yml
https://bun.sh/docs/pm/scopes-registries
  {,.}bunfig.toml
https://pip.pypa.io/en/stable/topics/authentication/
  pip.{conf,ini}
https://packaging.python.org/en/latest/specifications/pypirc/
  .pypirc pypoetry/auth.toml
https://doc.rust-lang.org/cargo/reference/config.html#credentials
  .cargo/credentials .cargo/credentials.toml
https://guides.rubygems.org/api-key-scopes/
  .gem/ .bundle/config
https://getcomposer.org/doc/articles/authentication-for-private-packages.md
  .composer/
https://learn.microsoft.com/en-us/nuget/reference/nuget-config-file#packagesourcecredentials
  nuget.config
https://maven.apache.org/guides/mini/guide-encryption.html
  .m2/settings.xml settings-security.xml .gradle/gradle.properties
https://docs.flutter.dev/deployment/android
  key.properties keystore.properties signing.properties release.properties
https://guides.rubyonrails.org/security.html#environmental-security
  master.key credentials.{yml,yaml}
https://dart.dev/tools/pub/custom-package-repositories
  pub-credentials.json pub-tokens.json .hex/
https://huggingface.co/docs/huggingface_hub/package_reference/environment_variables
  huggingface/token huggingface/stored_tokens .huggingface/ .kaggle/ kaggle.json
https://docs.databricks.com/aws/en/dev-tools/auth/config-profiles
  .databrickscfg .snowsql/ .snowflake/ .snowflake/connections.toml .dbt/
https://www.postgresql.org/docs/current/libpq-pgpass.html
  .pgpass pgpass.conf .pg_service.conf
https://dev.mysql.com/doc/refman/8.4/en/option-files.html
  .my.cnf .mylogin.cnf
https://httpd.apache.org/docs/current/programs/htpasswd.html
  .htpasswd .htdigest
https://rclone.org/docs/#config-file
  rclone.conf .config/rclone/
https://docs.sentry.io/cli/configuration/
  .sentryclirc
https://ngrok.com/docs/agent/config/
  ngrok.yml .ngrok2/ .config/ngrok/
https://developer.1password.com/docs/cli/config-directories/
  .config/op/ .op/ *.{opvault,agilekeychain,1pux}
https://bitwarden.com/help/data-storage/
  bitwarden_export*.json bitwarden*.csv lastpass*.csv
https://keepass.info/help/base/repair.html
  *.kdb *.kdbx *.kdbx.key *.psafe3
https://wiki.filezilla-project.org/Network_Configuration
  sitemanager.xml recentservers.xml filezilla.xml winscp.ini
https://codexns.io/products/sftp_for_subime/settings
  sftp-config.json sftp.json .ftpconfig .ftppass ftpsync.settings
https://github.com/michenriksen/gitrob/blob/master/filesignatures.json
  *_{rsa,dsa,ecdsa,ed25519} *.{kwallet,keyring,keypair,bek} {,.}dbeaver-data-sources.xml
  robomongo.json .muttrc .trc otr.private_key .purple/accounts.xml secret_token.rb etc/shadow
https://www.jetbrains.com/help/idea/managing-data-sources.html
  datasources.local.xml
https://man.archlinux.org/man/mount.cifs.8
  .smbcredentials .credentials .msmtprc .fetchmailrc .mbsyncrc .offlineimaprc
https://en.bitcoin.it/wiki/Data_directory
  wallet.dat wallet.json *.wallet utc--* .ethereum/keystore/ .config/solana/ .electrum/
https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki
  {,.}mnemonic{,s} {,.}mnemonic{,s}.txt {,.}seed{,-,_}phrase{,.txt}
https://www.wireguard.com/quickstart/
  wg{0,1,2,3}.conf .wireguard/ *.ovpn
https://networkmanager.dev/docs/api/latest/nm-settings-keyfile.html
  *.nmconnection
https://web.mit.edu/kerberos/krb5-latest/doc/basic/keytab_def.html
  *.keytab krb5cc_*
https://firefox-source-docs.mozilla.org/security/nss/
  logins.json key3.db key4.db signons.sqlite cookies.{txt,json,sqlite}
https://developers.google.com/workspace/drive/api/quickstart/python
  token.{pickle,txt,dat} .token *{_,-}token.txt .*{_,-}token
https://docs.telethon.dev/en/stable/concepts/sessions.html
  *.session *.session-journal
https://playwright.dev/docs/auth
  playwright/.auth/ storage{,-,_}state*.json
https://docs.cypress.io/app/references/environment-variables
  cypress.env.json
https://developer.chrome.com/docs/devtools/network/reference#save-as-har
  *.har
https://firebase.google.com/docs/functions/config-env
  .runtimeconfig.json
https://wordpress.org/documentation/article/editing-wp-config-php/
  wp-config.php
https://www.mediawiki.org/wiki/Manual:LocalSettings.php
  localsettings.php
https://learn.microsoft.com/en-us/aspnet/core/security/app-secrets
  .microsoft/usersecrets/
https://www.gnu.org/software/bash/manual/html_node/Bash-History-Facilities.html
  .*_history .histfile fish_history consolehost_history.txt
https://direnv.net/
  .envrc .envrc.*
https://flask.palletsprojects.com/en/stable/cli/#environment-variables-from-dotenv
  .flaskenv
https://mise.jdx.dev/environments/
  {,.}mise.local.toml {,.}mise.*.local.toml
https://developers.openai.com/codex/auth
  .codex/auth.json .claude/.credentials.json .gemini/oauth_creds.json opencode/auth.json
`;

/** Files whose endings say that they are private keys, stores of keys, or hold both. */
const KEY_FILES: NameList = `
https://docs.openssl.org/master/man1/openssl-format-options/
  *.{pem,der,key,p12,pfx,p8,pkcs8,pkcs12,pvk,snk}
https://datatracker.ietf.org/doc/html/rfc7517
  *.jwk
https://docs.oracle.com/en/java/javase/21/docs/specs/man/keytool.html
  *.{jks,jceks,bks,keystore,truststore}
https://the.earth.li/~sgtatham/putty/latest/htmldoc/Chapter8.html
  *.ppk
https://support.apple.com/guide/keychain-access/welcome/mac
  *.{keychain,keychain-db}
`;

/** Files and folders that hold keys and passwords. */
export const SECRET_FILES: NameList = [PROGRAMS, KEY_FILES].join("\n");

/**
 * Files with variables for a program's environment: https://dotenvx.com/docs/env-file and
 * https://developers.cloudflare.com/workers/configuration/secrets/#local-development-with-secrets
 */
export const ENVIRONMENT_FILE =
  /\.env$|^\.env(?:[._-]|\d+$)|^\.dev\.vars|^env\.(?:local|prod|production|dev|development|staging|test)$/;
/** Examples of such files, which repositories share, and public keys: https://12factor.net/config */
export const EXAMPLE =
  /(?:^|[._-])(?:examples?|samples?|templates?|tmpl|tpl|dist|schema)(?:\.(?:env|tfvars|jsonc?|ya?ml|toml|ini|txt))?$|^\.env[._-](?:.*[._-])?defaults?$|\.pub$/;

/**
 * Names that say that there are keys in a data file:
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns,
 * https://getcomposer.org/doc/articles/authentication-for-private-packages.md and
 * https://developers.google.com/workspace/drive/api/quickstart/python
 */
export const NAMED_SECRET = new RegExp(
  [
    "(?:(?:secret|credential|password|passwd|passphrase|service[-_ ]?account)s?",
    "(?:^|[._-])creds?",
    "(?:api|access|secret|private|signing|encryption|deploy|root|ssh|master|account)[-_ ]?keys?",
    "(?:service|server|client|admin)[-_ ]?keys?",
    "(?:access|refresh|auth|oauth2?|api|bot|bearer|session|github|gitlab|npm|slack)[-_ ]?tokens?",
    "^(?:auth|token)(?=\\.jsonc?$))(?:[._ -]|$)",
  ].join("|"),
);
/** Folders whose data files hold keys. */
export const SECRET_FOLDER = /^\.?(?:secrets?|credentials?)$|^\.envs$/;
/** Files of data, not of code. */
export const DATA_FILE =
  /^\.?[^.]+$|\.(?:jsonc?|json5|jsonl|ya?ml|toml|ini|txt|properties|xml|plist|conf|cfg|config|csv|tsv|env|dat|pickle|b64|asc|gpg)$/;
/** Translations, which are named after the page that they are for: https://www.i18next.com */
export const TRANSLATION =
  /(?:^|\/)(?:locales?|i18n|l10n|langs?|languages?|translations?)\/(?:.*\/)?(?:auth|token)\.jsonc?$/;

/**
 * What a copy of a file adds to its name: vim's swap files, Emacs's and nano's backups, and copies
 * of file managers. https://vimhelp.org/recover.txt.html,
 * https://www.gnu.org/software/emacs/manual/html_node/emacs/Backup-Names.html
 */
export const COPY_MARKS: readonly RegExp[] = [
  /(?:\.~\d{1,5})?~$|#$/,
  /\.(?:sw[a-z]|bak|backup|bkp|orig|original|old|save|saved|copy|tmp|temp|prev|previous|rej|enc|disabled|\d{1,8})$/,
  / - copy(?=(?:\.[a-z\d]{1,12})?$)/,
  /[ _-](?:bak|backup|orig|old|copy|saved?)$/,
  /[ ._-](?:bak|backup|orig|old|copy)(?=\.[a-z\d]{1,12}$)/,
  / ?\(\d{1,3}\)(?=(?:\.[a-z\d]{1,12})?$)/,
  /^(?:\.?#|copy of )/,
];
