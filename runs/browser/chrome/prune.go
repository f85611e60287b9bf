package chrome

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// What a profile can do without: the browser makes it anew, or gets it again.
// Names are patterns of package path. All else is kept, what nobody knows too:
// cookies, storage of every kind, service workers with what they have cached,
// preferences.
var (
	// disposable lies in the user-data directory itself. These are locks, caches
	// of the graphics, reports, and components that are downloaded.
	disposable = []string{
		"Singleton*", "lockfile", "DevToolsActivePort", "RunningChromeVersion", "*.tmp", "*.TMP", ".org.chromium.*", ".com.google.Chrome.*",
		"ShaderCache", "GrShaderCache", "GraphiteDawnCache", "GPUCache", "GPUPersistentCache",
		"BrowserMetrics*", "DeferredBrowserMetrics", "Crashpad", "Crash Reports", "Stability", "Local Traces", "chrome_debug.log",
		"component_crx_cache", "extensions_crx_cache", "Webstore Downloads", "Snapshots",
		"Safe Browsing*", "SafetyTips", "CertificateRevocation", "Crowd Deny", "SSLErrorAssistant", "FileTypePolicies", "PKIMetadata",
		"OptimizationHints", "OptGuide*", "optimization_guide_*", "OptimizationGuide*", "OnDeviceHeadSuggestModel", "segmentation_platform",
		"Subresource Filter", "MEIPreload", "OriginTrials", "RecoveryImproved", "TrustTokenKeyCommitments", "TpcdMetadata",
		"WidevineCdm", "ZxcvbnData", "hyphen-data", "AutofillStates", "FirstPartySetsPreloaded", "PrivacySandboxAttestationsPreloaded",
		"ActorSafetyLists", "AmountExtractionHeuristicRegexes", "CookieReadinessList", "ProbabilisticRevealTokenRegistry", "Variations",
	}
	// disposableOfProfile lies in the directory of one profile, which is Default.
	// Sessions are the tabs that were open, which are not opened again.
	disposableOfProfile = []string{
		"Cache", "Code Cache", "GPUCache", "DawnCache", "DawnGraphiteCache", "DawnWebGPUCache", "GrShaderCache", "ShaderCache",
		"Media Cache", "Application Cache", "Shared Dictionary", "blob_storage", "Sessions", "Sessions_Encrypted", "*.tmp", "*.TMP",
		"Safe Browsing*", "optimization_guide_*", "Segmentation Platform", "Feature Engagement Tracker", "Site Characteristics Database",
		"Download Service", "BudgetDatabase", "JumpListIcons*", "heavy_ad_intervention_opt_out.db*", "PersistentOriginTrials",
		"coupon_db", "commerce_subscription_db", "discount*_db", "parcel_tracking_db", "chrome_cart_db", "AutofillStrikeDatabase",
		"AutofillAiModelCache", "Network Action Predictor*", "LOCK", "LOG", "LOG.old",
	}
)

// Disposable reports whether a profile can do without a file or folder and all
// in it: a cache, a lock, or what is downloaded again. The path has slashes and
// is relative to the user-data directory.
func Disposable(rel string) bool {
	dir, name := path.Split(rel)
	switch dir = strings.TrimSuffix(dir, "/"); {
	case dir == "":
		return matches(disposable, name)
	case isProfile(dir):
		return matches(disposableOfProfile, name)
	}
	return false
}

// isProfile reports whether a folder of the user-data directory is a profile.
func isProfile(name string) bool {
	return name == "Default" || strings.HasPrefix(name, "Profile ") && !strings.Contains(name, "/")
}

func matches(patterns []string, name string) bool {
	for _, p := range patterns {
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// PruneProfile removes from a profile that no browser uses what it can do
// without. Error kind: Unavailable.
func (p *Provider) PruneProfile(dir string) (err error) {
	defer errtypes.Wrap(&err, "chrome.PruneProfile")
	if err := prune(dir, ""); err != nil {
		return errtypes.New(errtypes.Unavailable, "the caches of the profile cannot be removed").WithCause(err)
	}
	return nil
}

// prune looks at one folder of the profile, and at the profiles in it.
func prune(root, rel string) error {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(rel)))
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		switch {
		case Disposable(name):
			err = errors.Join(err, os.RemoveAll(filepath.Join(root, filepath.FromSlash(name))))
		case e.IsDir() && isProfile(name):
			err = errors.Join(err, prune(root, name))
		}
	}
	return err
}
